/**
 * A placeholder is a text that consists of nothing else: "TBD", "…", "<what was done>", "to be decided later". A sentence that
 * mentions one speaks of something, and passes. Probably meant to be filled in, and a warning: a slot such as `[insert the path]`
 * inside a sentence, a heading with a placeholder ("reason: TBD"), and a line of several that is one.
 */
import { asSeen } from './as-seen.ts';
import { claimsOf } from './claims.ts';
import { withoutMarks } from './clauses.ts';
import type { Contract } from '../contract.ts';
import type { Packet } from '../packet.ts';
import type { Hit } from './finding.ts';
import type { Rule } from './rule.ts';

const pointing =
  '(?:same|see|as)(?: as)? (?:above|below|before|previously|earlier|previous|discussed|agreed|usual)|ditto|coming soon';
const vacant = [
  't\\.?b\\.?[acd]\\.?',
  'to ?do|fixme|x{3,}|n/?a|n\\.a\\.?|wip|none yet|nothing yet|later|pending',
  'placeholder(?: text)?|example text|sample text|some text|text',
  'asdf\\w*|qwerty|foo|bar|baz|foo ?bar|blah?|test(?:ing)?|change ?me|hello world',
  pointing,
  '(?:still )?to be (?:determined|decided|defined|filled|filled in|added|done|written|announced|confirmed|completed|discussed|continued)',
  'will be (?:added|filled in|written|done|completed)(?: later| soon)?',
  '(?:i )?(?:will |to )?(?:fill|write|describe|complete|add|explain|edit|update)(?: (?:this|it|me|something|text|details?|in|here|later|soon))+',
  '(?:insert|add|enter|put|write|type|your|describe)(?: [\\w-]+){0,4} here',
  '(?:[\\w-]+ ){1,4}(?:goes|go) here',
].join('|');
const empty = '[-–—_*.?…~#=]+';
const slot = '<[^<>/=]{1,80}>|\\[[^\\[\\]]{1,80}\\]|\\{\\{[^{}]*\\}\\}|\\$\\{[^{}]*\\}|\\{[^{}":]{1,80}\\}';

const filler = `(?:${vacant}|${empty}|${slot})`;
const between = '(?:\\s*[,;:/|]\\s*|\\s+(?:[-–—]\\s+)?)';
const whole = new RegExp(`^[\\s"'“”«»(*_\`]*${filler}(?:${between}${filler})*[\\s"'“”«»)*_.!\`]*$`, 'i');
/** A heading with nothing under it. */
const labelled = new RegExp(`^[a-z]+(?: [a-z]+){0,2}\\s*[:=]\\s*${filler}[\\s.!]*$`, 'i');
/** Nobody writes a long one, but for the Latin one. */
const charsMax = 160;
const lorem = /^\W*lorem ipsum(?: dolor\b|\W*$)/i;

/** Brackets in a sentence that ask for words. */
const askingSlot =
  /[[<{]\s*(?:insert|todo|tbd|your|fill|placeholder|describe|enter|specify|explain|add|state the|write the|give the)\b[^\]>}]*[\]>}]/i;
const emptyLine = new RegExp(`^\\s*(?:[-*•]|\\d+[.)])?\\s*(?:${vacant})[\\s.!]*$`, 'i');

export type Placeholder = 'whole' | 'part';

export function placeholderIn(given: string): Placeholder | undefined {
  const text = asSeen(given).trim();
  if (text === '') return undefined;
  if (lorem.test(text)) return 'whole';
  if (text.length <= charsMax) {
    if (whole.test(text)) return 'whole';
    if (labelled.test(text)) return 'part';
  }
  if (askingSlot.test(withoutMarks(text))) return 'part';
  return text.includes('\n') &&
    text.split('\n').some((line) => line.length <= charsMax && emptyLine.test(line))
    ? 'part'
    : undefined;
}

export const placeholderText: Rule = {
  id: 'placeholder-text',
  title: 'No text stands in for something that should have been written',
  about: 'claims',
  weight: { strict: 'error' },
  check: ({ contract, packet }) =>
    [...contractTexts(contract), ...claimsOf(packet), ...reasons(packet)].flatMap(({ path, text }): Hit[] => {
      const found = placeholderIn(text);
      if (found === undefined) return [];
      const shown = `"${text.trim().slice(0, 60)}"`;
      if (found === 'whole')
        return [
          {
            path,
            text: `${shown} is a placeholder.`,
            fix: 'Write what is meant, or leave the field out.',
          },
        ];
      return [
        {
          path,
          text: `${shown} seems to hold a place that was not filled in.`,
          fix: 'Write what is meant. What is spoken of goes in quotation or code marks.',
          atMost: 'warning',
        },
      ];
    }),
};

function reasons({ artefacts }: Packet): { readonly path: string; readonly text: string }[] {
  return artefacts.map(({ why }, i) => ({ path: `artefacts[${i}].why`, text: why ?? '' }));
}

function contractTexts(contract: Contract): { readonly path: string; readonly text: string }[] {
  const lists = ['acceptance', 'constraints', 'nonGoals'] as const;
  return [
    { path: 'contract.goal', text: contract.goal },
    ...lists.flatMap((list) =>
      (contract[list] ?? []).map((text, i) => ({ path: `contract.${list}[${i}]`, text })),
    ),
  ];
}

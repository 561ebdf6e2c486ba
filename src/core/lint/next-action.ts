/**
 * One action is one thing to begin with. Several are a list, a row of clauses that each begin with an imperative, or a choice between
 * two ("either revert … or rewrite …"). Two that only "and" joins are one: "run the tests and read the first failure". Two side by
 * side with a comma are a warning, and so is a single word that is no verb.
 */
import { actionsIn, isActionWord } from './actions.ts';
import { anchorsIn, wordsIn } from './anchors.ts';
import { claimsOf } from './claims.ts';
import { evenly } from './clauses.ts';
import type { Hit } from './finding.ts';
import type { Rule } from './rule.ts';
import { isEnd } from './subject.ts';

const listed = /(?:^|\n)\s*(?:[-*•]|\d+[.)])\s+\S[\s\S]*\n\s*(?:[-*•]|\d+[.)])\s+\S/;
const inline = /(?:^|\s)\(?1[.)]\s.+\s\(?2[.)]\s|(?:^|\s)\(?a\)\s.+\s\(?b\)\s|\bstep 1\b.+\bstep 2\b/is;
/** "Fix the parser and then the printer": the second has no verb of its own. */
const andThen = /\band then\b|^(?!.*\bif\b).*,\s*then\s+(?!(?:by|in|on|to|with|from|at|for|of)\b)/is;
const choice = /^\W*either\s+([a-z]+)\b.+\bor\s+([a-z]+)\s+\S/i;
/** Words that point at work without saying which. A text of nothing else says only to go on. */
const hollow: ReadonlySet<string> = new Set(
  `please just now then still again simply continue continuing keep going go on carry work working proceed resume pick up move moving press
  ahead forward finish finishing complete do doing handle fix wrap see refer to as per in by follow check read look at the a an this that it
  its rest remaining remainder stuff things thing task tasks job item items everything all what whatever which is was were be been left off
  over open i we you they he she me my our your last previous former earlier agent session where when from with of and for stopped
  ended paused planned plan plans above below before same way transcript summary notes note chat conversation history handoff packet
  described stated said written discussed outlined agreed usual same more get until done list else time needful ticket issue seems right wherever appropriate onwards onward implementation coding development progress point here there todo todos next step steps`
    .split(/\s+/)
    .filter((word) => word !== ''),
);
const goingOn =
  /^(?:please |just )*(?:continue|keep (?:going|working)|carry on|go on|proceed|resume|work(?:ing)? on)\b/i;
const place = /`[^`]*`|[\w@./-]+\.[A-Za-z]\w{0,7}\b(?!\()/g;

/** To go on with a file says no more than to go on. */
function isHollow(text: string): boolean {
  const rest = goingOn.test(text) ? text.replaceAll(place, '') : text;
  return (rest.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).every((word) => hollow.has(word));
}

/** A single action is shorter. */
const charsMax = 4000;

export type NextFault = 'none' | 'several' | 'empty';

export interface NextJudged {
  readonly fault: NextFault;
  readonly sure: boolean;
}

export function nextFault(given: string | undefined): NextJudged | undefined {
  const text = evenly(given ?? '').slice(0, charsMax);
  if (text === '') return { fault: 'none', sure: true };
  if (isHollow(text)) return { fault: 'empty', sure: true };
  if (wordsIn(text) < 2 && anchorsIn(text) === 0)
    return isActionWord(text.trim().replace(/[.!]+$/, '')) || /[^\x00-\x7f]/.test(text)
      ? undefined
      : { fault: 'empty', sure: false };
  if (listed.test(text) || inline.test(text) || andThen.test(text) || choice.test(text))
    return { fault: 'several', sure: true };
  const { count, apart, side } = actionsIn(text);
  if (count > 2 || (count === 2 && apart)) return { fault: 'several', sure: true };
  return side ? { fault: 'several', sure: false } : undefined;
}

export const nextAction: Rule = {
  id: 'next-action',
  title: 'Exactly one next action is named',
  about: 'claims',
  weight: { strict: 'error' },
  check({ packet, occasion }): readonly Hit[] {
    if (isEnd(occasion)) return [];
    const text = claimsOf(packet).find(({ path }) => path === 'claims.next')?.text;
    const judged = nextFault(text);
    if (judged === undefined) return [];
    const words: Record<NextFault, string> = {
      none: 'No next action is named.',
      several: 'Several next actions are named; the next agent cannot know which one you meant.',
      empty: 'The next action says only to go on.',
    };
    return [
      {
        path: 'claims.next',
        text: words[judged.fault],
        fix: 'Name the one thing to do first: --next "make limit.test.ts:41 pass". The rest belongs to --remaining.',
        ...(judged.sure ? {} : { atMost: 'warning' as const }),
      },
    ];
  },
};

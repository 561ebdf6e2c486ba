import type { Hit } from './finding.ts';
import { claimsOf } from './claims.ts';
import { anchorsIn, wordsIn } from './anchors.ts';
import type { Rule } from './rule.ts';
import { isEnd } from './subject.ts';

const listed = /(?:^|\n)\s*(?:[-*•]|\d+[.)])\s+\S[\s\S]*\n\s*(?:[-*•]|\d+[.)])\s+\S/;
const inline = /(?:^|\s)\(?1[.)]\s.+\s\(?2[.)]\s/s;
const joined =
  /;\s*(?:then|next|and|also|after that|finally)\b|(?:,|\.)\s+(?:then|after that|afterwards|finally|also|next)[, ]|\band then\b|\bor\b.{3,60}\bor\b|\beither\b.+\bor\b/is;
/** Words that point at work without saying which. A text of nothing else says only to go on. */
const hollow: ReadonlySet<string> = new Set(
  `please just now then still again simply continue continuing keep going go on carry work working proceed resume pick up move moving press
  ahead forward finish finishing complete do doing handle fix wrap see refer to as per in by follow check read look at the a an this that it
  its rest remaining remainder stuff things thing task tasks job item items everything all what whatever which is was were be been left off
  over open i we you they he she me my our your last previous former earlier agent session where when from with of and for stopped
  ended paused planned plan plans above below before same way transcript summary notes note chat conversation history handoff packet
  described stated said written discussed outlined implementation coding development progress point here there todo todos next step steps`
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

export type NextFault = 'none' | 'several' | 'empty';

export function nextFault(text: string | undefined): NextFault | undefined {
  if (text === undefined || text.trim() === '') return 'none';
  if (isHollow(text.trim()) || (wordsIn(text) < 2 && anchorsIn(text) === 0)) return 'empty';
  return listed.test(text) || inline.test(text) || joined.test(text) ? 'several' : undefined;
}

export const nextAction: Rule = {
  id: 'next-action',
  title: 'Exactly one next action is named',
  about: 'claims',
  weight: { strict: 'error' },
  check({ packet, occasion }): readonly Hit[] {
    if (isEnd(occasion)) return [];
    const text = claimsOf(packet).find(({ path }) => path === 'claims.next')?.text;
    const fault = nextFault(text);
    if (fault === undefined) return [];
    const words: Record<NextFault, string> = {
      none: 'No next action is named.',
      several: 'Several next actions are named; the next agent cannot know which one you meant.',
      empty: 'The next action says only to go on.',
    };
    return [
      {
        path: 'claims.next',
        text: words[fault],
        fix: 'Name the one thing to do first: --next "make limit.test.ts:41 pass". The rest belongs to --remaining.',
      },
    ];
  },
};

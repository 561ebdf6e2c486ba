import type { Hit } from './finding.ts';
import { claimsOf } from './claims.ts';
import { anchorsIn, wordsIn } from './anchors.ts';
import type { Rule } from './rule.ts';
import { isEnd } from './subject.ts';

const listed = /(?:^|\n)\s*(?:[-*•]|\d+[.)])\s+\S[\s\S]*\n\s*(?:[-*•]|\d+[.)])\s+\S/;
const inline = /(?:^|\s)\(?1[.)]\s.+\s\(?2[.)]\s/s;
const joined =
  /;\s*(?:then|next|and|also|after that|finally)\b|(?:,|\.)\s+(?:then|after that|afterwards|finally|also|next)[, ]|\band then\b|\bor\b.{3,60}\bor\b|\beither\b.+\bor\b/is;
const empty =
  /^(?:continue|keep going|carry on|go on|proceed|finish(?: it| up)?|do the rest|see (?:above|notes|plan)|as planned|whatever is left|keep working(?: on it)?)[.!]?$/i;

export type NextFault = 'none' | 'several' | 'empty';

export function nextFault(text: string | undefined): NextFault | undefined {
  if (text === undefined || text.trim() === '') return 'none';
  if (empty.test(text.trim()) || (wordsIn(text) < 2 && anchorsIn(text) === 0)) return 'empty';
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

import { alikeAmong } from '../alike.ts';
import type { Hit } from './finding.ts';
import type { Rule } from './rule.ts';

export const reviewOwner: Rule = {
  id: 'review-owner',
  title: 'Somebody other than the author is named to review the result',
  about: 'contract',
  weight: { strict: 'error', softer: { research: 'warning', review: 'note' } },
  check({ contract, authors, giver }): readonly Hit[] {
    const { review } = contract;
    if (review?.human === true) return [];
    if (review?.owner === undefined) {
      return [
        {
          path: 'contract.review',
          text: 'Nobody is named to approve the result.',
          fix: 'Name a reviewer: --review human, --review lane:audit or --review agent:NAME.',
        },
      ];
    }
    const named = review.owner.startsWith('agent:') ? review.owner.slice(6) : undefined;
    const all = giver.lane === 'audit' ? authors : [...authors, giver.name];
    const author = named === undefined ? undefined : alikeAmong(named, all);
    if (author === undefined) return [];
    return [
      {
        path: 'contract.review.owner',
        text:
          author === named
            ? `${named} worked on this and cannot review it.`
            : `${named} can be confused with ${author}, who worked on this and cannot review it.`,
        fix: 'Name somebody who has not worked on it.',
      },
    ];
  },
};

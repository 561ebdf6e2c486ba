import { alikeAmong } from '../../task/alike.ts';
import type { GateRule } from '../rule.ts';

export const reviewOwner: GateRule = {
  id: 'review-owner',
  title: 'Somebody is named to review the result',
  about: 'contract',
  check: ({ contract: { review } }) =>
    review?.human === true || review?.owner !== undefined
      ? []
      : [
          {
            path: 'contract.review',
            text: 'Nobody is named to approve the result.',
            fix: 'Name a reviewer: a person, a lane or an agent that has not worked on it.',
          },
        ],
};

export const reviewerAuthor: GateRule = {
  id: 'reviewer-author',
  title: 'The reviewer is not the author',
  about: 'contract',
  check({ contract: { review }, authors, giver }) {
    if (review?.human === true || review?.owner?.startsWith('agent:') !== true) return [];
    const named = review.owner.slice('agent:'.length);
    const author = alikeAmong(named, giver.lane === 'audit' ? authors : [...authors, giver.name]);
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

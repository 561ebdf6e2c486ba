import type { GateRule } from '../rule.ts';

export const notCarried: GateRule = {
  id: 'not-carried',
  title: 'Nothing that was said or should have been probed is left out',
  about: 'claims',
  check: ({ packet }) =>
    (packet.losses ?? []).map(({ what, why }, i) => ({
      path: `losses[${i}]`,
      text: `Not carried over: ${what}. ${why.trim().replace(/[^.!?]$/, '$&.')}`,
      fix: 'Say it where it is read, such as under "## Remaining", or tell the receiver where to find it.',
    })),
};

import type { GateRule } from '../rule.ts';

export const switchUnjustified: GateRule = {
  id: 'switch-unjustified',
  title: 'A change of runtime has a reason',
  about: 'transfer',
  check({ packet, to, lane, giver, emergency }) {
    const target = to?.startsWith('runtime:') === true ? to.slice(8) : undefined;
    const switches = target !== undefined && giver.runtime !== undefined && target !== giver.runtime;
    // A person who goes on elsewhere has chosen it: that is on record, and reason enough.
    const isReasoned = packet.why !== undefined || packet.trigger === 'user';
    if (!switches || emergency || lane !== giver.lane || isReasoned) return [];
    return [
      {
        path: 'to',
        text: `The work moves from ${giver.runtime} to ${target} in the same lane, and nothing says why.`,
        fix: 'Stay, or say what the other runtime can do that this one cannot.',
      },
    ];
  },
};

import type { GateRule } from '../rule.ts';

export const switchUnjustified: GateRule = {
  id: 'switch-unjustified',
  title: 'A change of runtime has a reason',
  about: 'transfer',
  check({ packet, to, lane, giver, emergency }) {
    const target = to?.startsWith('runtime:') === true ? to.slice(8) : undefined;
    const switches = target !== undefined && giver.runtime !== undefined && target !== giver.runtime;
    if (!switches || emergency || lane !== giver.lane || packet.why !== undefined) return [];
    return [
      {
        path: 'to',
        text: `The work moves from ${giver.runtime} to ${target} in the same lane, and nothing says why.`,
        fix: 'Stay, or say what the other runtime can do that this one cannot.',
      },
    ];
  },
};

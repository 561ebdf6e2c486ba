import type { GateRule } from '../rule.ts';

export const pathAbsent: GateRule = {
  id: 'path-absent',
  title: 'Every file that is named as an artefact exists',
  about: 'facts',
  check: ({ packet, losses, exists, sealedTree }) =>
    packet.artefacts.flatMap(({ path }, i) => {
      const isGone =
        losses.some((loss) => loss.path === path) ||
        sealedTree?.changes.some((change) => change.path === path && change.status === 'deleted') === true;
      if (isGone || exists(path) !== false) return [];
      return [
        {
          path: `artefacts[${i}].path`,
          text: `${path} does not exist in the workspace.`,
          fix: 'Correct the path, or take it out.',
        },
      ];
    }),
};

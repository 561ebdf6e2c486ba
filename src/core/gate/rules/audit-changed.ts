import type { GateRule } from '../rule.ts';

export const auditChanged: GateRule = {
  id: 'audit-changed',
  title: 'A reviewer leaves the workspace as it was received',
  about: 'facts',
  check({ giver, parent, packet, sealedTree, receivedTree }) {
    if (giver.lane !== 'audit' || parent === null || sealedTree === null || receivedTree === null) return [];
    if (packet.generation === parent.generation || sealedTree.digest === receivedTree) return [];
    return [
      {
        path: 'facts.workspace.digest',
        text: 'The workspace is not the one that was received for review.',
        fix: 'Undo the changes, and send the work back with findings instead of mending it.',
      },
    ];
  },
};

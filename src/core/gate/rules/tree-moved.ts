import type { RuleHit } from '../finding.ts';
import type { GateRule } from '../rule.ts';

export const treeMoved: GateRule = {
  id: 'tree-moved',
  title: 'The workspace is as it was when the packet was sealed',
  about: 'facts',
  check({ sealedTree, tree }): readonly RuleHit[] {
    if (sealedTree === null || tree === null || sealedTree.digest === tree.digest) return [];
    const moved = sealedTree.head !== tree.head;
    return [
      {
        path: moved ? 'facts.workspace.git.head' : 'facts.workspace.digest',
        text: moved
          ? `HEAD was ${sealedTree.head ?? 'none'} and is ${tree.head ?? 'none'}.`
          : 'Files were changed after the packet was sealed.',
        fix: 'Seal a new packet.',
      },
    ];
  },
};

import type { RuleHit } from '../finding.ts';
import type { GateRule } from '../rule.ts';

const namedMax = 20;

export const changedBeside: GateRule = {
  id: 'changed-beside',
  title: 'No other task changed the same files in this folder',
  about: 'facts',
  check: ({ beside }) =>
    beside.map(({ task, paths }) => ({
      path: 'facts.workspace.changes',
      text: `Task ${task}, worked on in this folder too, has these among its changes: ${listed(paths)}.`,
      fix: 'Look which task each of them belongs to, and give each task a folder of its own.',
    })),
};

function listed(paths: readonly string[]): string {
  const left = paths.length - namedMax;
  return `${paths.slice(0, namedMax).join(', ')}${left > 0 ? ` and ${left} more` : ''}`;
}

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

import type { GateRule } from '../rule.ts';

export const uncommitted: GateRule = {
  id: 'uncommitted',
  title: 'What is to be integrated is committed',
  about: 'facts',
  check({ contract: { integrate }, packet }) {
    const workspace = packet.facts?.workspace;
    if (integrate === undefined || workspace?.kind !== 'git') return [];
    const { staged, unstaged, untracked, conflicted } = workspace.counts;
    const count = staged + unstaged + untracked + conflicted;
    if (count === 0) return [];
    return [
      {
        path: 'facts.workspace',
        text: `${count === 1 ? 'One change is' : `${count} changes are`} not committed, and only commits go onto ${integrate.onto}.`,
        fix: 'Commit them, or let git ignore what is not part of the work.',
      },
    ];
  },
};

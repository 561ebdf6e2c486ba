import type { GateRule } from '../rule.ts';
import { isEnd, type Subject } from '../subject.ts';

export const artefactsMissing: GateRule = {
  id: 'artefacts-missing',
  title: 'The packet names what the work has produced',
  about: 'claims',
  check(subject) {
    if (hasProduct(subject)) return [];
    return [
      {
        path: 'artefacts',
        // A session that is handed on whole has its results in it, as far as there are any yet.
        ...(subject.packet.facts?.session !== undefined && !isEnd(subject.occasion)
          ? { atMost: 'warning' as const }
          : {}),
        text: 'No file is named, and nothing in the workspace was changed.',
        fix: 'Name the documents or sources that hold the results.',
      },
    ];
  },
};

/** What was changed is known without being told. A plan is its contract and decisions, a pass over data its cursor. */
function hasProduct({ packet, sealedTree, giver }: Subject): boolean {
  return (
    packet.artefacts.length > 0 ||
    (sealedTree?.changes.length ?? 0) > 0 ||
    packet.facts?.progress?.cursor !== undefined ||
    giver.lane === 'plan'
  );
}

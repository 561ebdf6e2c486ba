import { assertionsOf } from './claims.ts';
import type { Rule } from './rule.ts';
import type { Subject } from './subject.ts';

export const evidenceMissing: Rule = {
  id: 'evidence-missing',
  title: 'What is said to be done points to its evidence',
  about: 'claims',
  weight: { strict: 'warning', softer: { research: 'note', docs: 'note', review: 'note' } },
  check: (subject) =>
    assertionsOf(subject.packet).flatMap(({ evidence, path, text }) => {
      const absent = evidence.filter((name) => isAbsent(name, subject));
      if (evidence.length > absent.length || (evidence.length === 0 && path === 'claims.summary')) return [];
      const why =
        absent.length === 0 ? 'is shown as unverified' : `rests on what is not there: ${absent.join(', ')}`;
      return [
        {
          path,
          text: `"${text.slice(0, 60)}" ${why}.`,
          fix: 'Add its evidence in brackets, as in --done "… [j12]": a journal entry (j12), a run (r1), a step (s42) or file:PATH.',
        },
      ];
    }),
};

/** Known not to be there; of steps, runs and decisions nothing is known here. */
function isAbsent(name: string, { packet, exists }: Subject): boolean {
  if (name.startsWith('file:')) return exists(name.slice('file:'.length)) === false;
  return name.startsWith('j') && Number(name.slice(1)) > packet.head.seq;
}

/** What is said points to its evidence, and that exists. */
import { recordsUpTo } from '../../packet/packet.ts';
import type { PlacedClaim } from '../claims.ts';
import type { RuleHit } from '../finding.ts';
import type { GateRule } from '../rule.ts';
import type { Subject } from '../subject.ts';

export const evidenceMissing: GateRule = {
  id: 'evidence-missing',
  title: 'What is said to be done points to its evidence',
  about: 'claims',
  check: ({ claims }) =>
    claims
      .filter(({ evidence, path }) => evidence.length === 0 && path.startsWith('claims.done'))
      .map(({ path, text }) => ({
        path,
        text: `"${text.slice(0, 60)}" is shown as unverified.`,
        fix: 'Add its evidence: a journal entry (j12), a run (r12: the one in entry 12), a decision (d3), a step (s42) or file:PATH.',
      })),
};

/** Evidence that names nothing. A step can be looked up only where the packet carries a transcript. */
export const evidenceUnknown: GateRule = {
  id: 'evidence-unknown',
  title: 'The evidence that a claim names exists',
  about: 'facts',
  check: (subject) =>
    subject.claims.flatMap((claim) =>
      claim.evidence.flatMap((id) => {
        const hit = faultOf(id, subject);
        return hit === undefined ? [] : [{ path: placeOf(claim), ...hit }];
      }),
    ),
};

function placeOf({ path }: PlacedClaim): string {
  return `${path}.evidence`;
}

function faultOf(id: string, subject: Subject): Omit<RuleHit, 'path'> | undefined {
  if (id.startsWith('file:')) return fileFault(id.slice('file:'.length), subject);
  const number = Number(id.slice(1));
  const { record, packet } = subject;
  switch (id[0]) {
    case 'j':
      if (record === undefined || number <= record.head) return undefined;
      return {
        text: `The journal has no entry ${number} (${id}); its last is j${record.head}.`,
        fix: 'Name an entry that the log of the task shows, or leave the evidence out.',
      };
    case 'r':
      if (record === undefined || record.runs.has(number)) return undefined;
      return {
        text: `Entry ${number} of the journal holds no run (${id}).`,
        fix: 'Runs have the number of their entry, as the log of the task shows it. Record one first.',
      };
    case 'd':
      if (record === undefined || (number >= 1 && number <= record.decisions)) return undefined;
      return {
        text: `There is no decision ${number} (${id}); ${record.decisions === 0 ? 'none was recorded' : `the last is d${record.decisions}`}.`,
        fix: 'Record it first, or leave the evidence out.',
      };
    default:
      return stepFault(number, packet);
  }
}

/** Steps are counted over the whole chain; a packet without a session or a conversation does not say how many there are. */
function stepFault(number: number, packet: Subject['packet']): Omit<RuleHit, 'path'> | undefined {
  const last = recordsUpTo(packet);
  if (last !== undefined) {
    if (number >= 1 && number <= last) return undefined;
    return {
      text: `The reasoning has no step ${number} (s${number}); ${last === 0 ? 'it is empty' : `its last is s${last} at most`}.`,
      fix: 'Name a step that the history of the task shows, or leave the evidence out.',
    };
  }
  if (packet.transcript.length > 0) return undefined;
  return {
    text: `The packet carries no transcript in which step ${number} (s${number}) could be looked up.`,
    fix: 'Give the transcript, or name other evidence.',
    atMost: 'note',
  };
}

function fileFault(named: string, { exists, sealedTree }: Subject): Omit<RuleHit, 'path'> | undefined {
  const path = named.replace(/(?::\d+(?:-\d+)?)+$/, '');
  if (exists(named) !== false || exists(path) !== false) return undefined;
  if (sealedTree?.changes.some((change) => change.path === path && change.status === 'deleted') === true)
    return undefined;
  return {
    text: `${path} does not exist in the workspace.`,
    fix: 'Correct the path, or leave the evidence out.',
  };
}

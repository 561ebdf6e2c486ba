/** A packet with something in every field, each text a marker that tells where it stood. */
import { digestOf } from '../../src/core/digest.ts';
import type { Packet } from '../../src/core/packet.ts';

const digest = digestOf(Buffer.from('a marker'));

export const everyClaim: Packet['claims'] = {
  done: ['marker-done', { text: 'marker-done-2', evidence: ['j11', 'file:marker-done-file'] }],
  doing: ['marker-doing', { text: 'marker-doing-2', evidence: ['j12'] }],
  remaining: ['marker-remaining', { text: 'marker-remaining-2', evidence: ['j13'] }],
  decisions: [
    {
      text: 'marker-decision',
      why: 'marker-decision-why',
      rejected: ['marker-rejected-1', 'marker-rejected-2'],
      evidence: ['d14'],
    },
  ],
  failed: [{ what: 'marker-failed', why: 'marker-failed-why', evidence: ['r15', 'file:marker-failed-file'] }],
  blockers: ['marker-blocker', { text: 'marker-blocker-2', evidence: ['s16'] }],
  questions: [{ text: 'marker-question', owner: 'agent:marker-owner', evidence: ['j17'] }],
  next: 'marker-next',
  command: 'marker-command --now',
  summary: 'marker-summary\nmarker-summary-line-2',
};

export const everyArtefact: Packet['artefacts'] = [
  { path: 'marker/path.ts', role: 'marker-role', why: 'marker-artefact-why', digest },
];

export const everyField: Packet = {
  v: 1,
  task: 't000000000042',
  parent: digest,
  contract: digest,
  generation: 4711,
  head: { seq: 3, digest },
  at: 1_767_225_600_000,
  from: { name: 'marker-from-name', kind: 'agent', runtime: 'marker-runtime' },
  to: 'agent:marker-to',
  lane: 'supervise',
  trigger: 'crash',
  why: 'marker-why',
  claims: everyClaim,
  artefacts: everyArtefact,
  transcript: [{ blob: digest, bytes: 2048, media: 'marker/media' }],
};

export interface Marker {
  readonly name: string;
  readonly path: readonly string[];
  readonly marker: string;
}

/** Every text and number in it that a reader could miss. */
export function markers(value: unknown, path: readonly string[] = []): Marker[] {
  // What these say is told in words: who is an agent, how large a transcript is, when it was.
  if (['kind', 'at', 'bytes', 'blob'].includes(path.at(-1) ?? '')) return [];
  if (typeof value === 'object' && value !== null)
    return Object.entries(value).flatMap(([name, part]) => markers(part, [...path, name]));
  // A text of several lines is indented line by line.
  return String(value)
    .split('\n')
    .map((marker, at) => ({ name: `${path.join('.')}${at === 0 ? '' : `, line ${at + 1}`}`, path, marker }));
}

/** A packet with something in every field, each text a marker that tells where it stood. */
import { digestOf } from '../../src/core/journal/digest.ts';
import type { Packet } from '../../src/core/packet/packet.ts';

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
  trace: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
  transcript: [{ blob: digest, bytes: 2048, media: 'marker/media' }],
  facts: {
    session: {
      runtime: 'marker-session-runtime',
      id: 'marker-session',
      path: '/marker/session.jsonl',
      cursor: 'opaque',
      before: 4718,
      records: 4719,
      fromStart: true,
      omissions: [{ kind: 'marker-omission', count: 4720, why: 'marker-omission-why' }],
    },
    subagents: [
      {
        runtime: 'marker-agent-runtime',
        id: 'marker-agent-session',
        path: '/marker/agent.jsonl',
        cursor: 'opaque',
        before: 4724,
        records: 4725,
        chunks: 0,
      },
    ],
    conversation: {
      shape: 'marker-shape',
      before: 4721,
      records: 4723,
      goesOn: { from: digest, kept: 4722 },
    },
    workspace: {
      v: 1,
      kind: 'git',
      root: '/marker-root',
      digest,
      git: {
        worktree: 'main',
        branch: 'marker-branch',
        head: 'c'.repeat(40),
        base: null,
        upstream: null,
        operation: null,
        shallow: false,
        sparse: false,
        submodules: [],
      },
      counts: { staged: 0, unstaged: 1, untracked: 0, conflicted: 0 },
      changes: [{ path: 'marker-change.ts', unstaged: 'modified', type: 'file' }],
      changesLeft: 0,
      losses: [{ path: 'marker-lost.bin', reason: 'too-large' }],
      lossesLeft: 0,
    },
    folder: 'marker-folder',
    manifest: digest,
    diff: { blob: digest, bytes: 100, added: 4712, removed: 4713 },
    skills: [
      {
        skill: 'marker-carried-skill',
        name: 'marker-skill-name',
        from: 'marker-skill-from',
        files: [
          { path: 'SKILL.md', blob: digest, bytes: 100 },
          { path: 'marker-skill.sh', blob: digest, bytes: 100, executable: true },
        ],
      },
    ],
    runs: [
      {
        run: ['marker-program', 'marker-argument'],
        name: 'marker-run',
        passed: { entry: 4714, at: 5, exit: 0, workspace: digest },
      },
    ],
    progress: { at: 4715, of: 4716, unit: 'marker-unit', cursor: 'marker-cursor' },
    phases: [{ name: 'marker-phase', status: 'started' }],
  },
  skills: ['marker-skill'],
  losses: [{ what: 'marker-loss', why: 'marker-loss-why' }],
  redactions: { 'marker-rule': 4717 },
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
  // Facts are told in words; what stands for itself is marked.
  if (path.includes('facts') && !/^(?:\/?marker|47\d\d)/.test(String(value))) return [];
  // A text of several lines is indented line by line.
  return String(value)
    .split('\n')
    .map((marker, at) => ({ name: `${path.join('.')}${at === 0 ? '' : `, line ${at + 1}`}`, path, marker }));
}

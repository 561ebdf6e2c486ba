/** What `read` can be asked for, as text: the work of others, to be paged and fenced by the caller that gives it out. */
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { loadRuntimes } from '../compose/runtimes.ts';
import { isDigest } from '../core/journal/digest.ts';
import { StaffettaError } from '../core/base/error.ts';
import type { TaskId } from '../core/journal/id.ts';
import { limits } from '../core/base/limits.ts';
import { writeHandoff } from '../core/files/handoff-markdown.ts';
import { toMarkdown } from '../core/formats/to-markdown.ts';
import type { Context } from '../handoff/record/context.ts';
import { expandEvidence, isEvidenceId, type EvidenceFound } from '../handoff/history/evidence.ts';
import { chaptersOf, exportHistory } from '../handoff/history/export-history.ts';
import { readFindings } from '../handoff/sealing/findings.ts';
import { findPacket, readBlob, readCheckedPacket } from '../handoff/history/history.ts';
import { lineage } from '../handoff/history/lineage.ts';
import { load } from '../handoff/record/load.ts';
import { waitingMessages } from '../handoff/verbs/outside.ts';
import { readManifest } from '../handoff/history/packet-blobs.ts';
import { carriedSkills } from '../handoff/sealing/skills.ts';
import { readStanding } from '../handoff/views/standing-contract.ts';
import { readersOf } from '../handoff/history/story.ts';
import { briefingText, contractText, messageText } from './briefing.ts';
import type { Environment } from '../desk/standing.ts';

export interface Reading {
  /** A sentence of ours: what it is. */
  readonly about: string;
  readonly text: string;
}

export interface Readable {
  readonly context: Context;
  readonly task: TaskId;
  readonly env: Environment;
  /** Where files may be read; null where none may. */
  readonly folder: string | null;
}

export const readables =
  'briefing, contract, packet, packet:DIGEST, history, messages, findings, diff, j12, r12, s42, d3 (evidence), skill:NAME or file:PATH';

export async function readingOf(from: Readable, what: string): Promise<Reading> {
  const { context, task } = from;
  if (isEvidenceId(what)) return await evidenceOf(from, what);
  if (what.startsWith('file:')) return await fileOf(from, what.slice('file:'.length));
  if (what.startsWith('skill:')) return await skillOf(context, task, what.slice('skill:'.length));
  if (what.startsWith('packet:')) return await packetOf(context, task, what.slice('packet:'.length));
  switch (what) {
    case 'briefing':
      return { about: `The briefing of ${task}`, text: await briefingText(context, task, from.env) };
    case 'contract':
      return { about: `The contract of ${task}`, text: await contractOf(context, task) };
    case 'packet':
      return await packetOf(context, task, null);
    case 'history':
      return { about: `The reasoning of all legs of ${task}`, text: await historyOf(from) };
    case 'messages':
      return await messagesOf(context, task);
    case 'findings':
      return await findingsOf(context, task);
    case 'diff':
      return await diffOf(context, task);
    default:
      throw new StaffettaError(
        'unknown-evidence',
        `There is nothing called ${JSON.stringify(what.slice(0, 200))} to read.`,
        {
          details: { task },
          hint: `Give one of: ${readables}.`,
        },
      );
  }
}

async function contractOf(context: Context, task: TaskId): Promise<string> {
  const { state } = await load(context, task);
  return contractText(await readStanding(context, state));
}

async function historyOf({ context, task, env }: Readable): Promise<string> {
  const chapters = chaptersOf(context, task, readersOf(await loadRuntimes({ ...env })));
  let text = '';
  for await (const { story, ...of } of chapters)
    for (const piece of exportHistory(story, 'md', of).pieces) {
      if (text.length + piece.length > historyCharsMax)
        return `${text}\n(The rest is left out here. All of it, in a shell: staffetta history ${task})\n`;
      text += piece;
    }
  return text;
}

/** A page is cut from the whole, which is held in memory meanwhile. */
const historyCharsMax = 64 * 1024 * 1024;

/** A packet of this task or of one that it goes on from: the latest, or by its whole digest. */
async function packetOf(context: Context, task: TaskId, given: string | null): Promise<Reading> {
  const { state } = await load(context, task);
  const digest = given ?? state.packet;
  if (digest === null)
    throw new StaffettaError('unknown-packet', `Task ${task} has no packet yet.`, {
      details: { task },
      hint: 'Its holder seals one with the tool seal.',
    });
  const whole = digest.startsWith('sha256:') ? digest : `sha256:${digest}`;
  if (!isDigest(whole))
    throw new StaffettaError(
      'unknown-packet',
      `${JSON.stringify(digest.slice(0, 100))} is no packet digest.`,
      {
        details: { task },
        hint: 'Give it whole: sha256: and 64 hex digits.',
      },
    );
  const packet = await findPacket(context, whole);
  if (packet.task !== task && !(await lineage(context, task)).some((stretch) => stretch.task === packet.task))
    throw new StaffettaError('unknown-packet', `Task ${task} has no packet ${whole}.`, { details: { task } });
  const contract = await readStanding(context, state, packet.contract);
  return { about: `Packet ${whole}`, text: writeHandoff(packet, contract, whole) };
}

async function messagesOf(context: Context, task: TaskId): Promise<Reading> {
  const messages = await waitingMessages(context, task);
  const last = messages.at(-1);
  const about =
    last === undefined
      ? `No messages wait with ${task}`
      : `The messages that wait with ${task}; once dealt with, say so with note and seen: ${last.seq}`;
  return { about, text: messages.map(messageText).join('\n\n') };
}

async function findingsOf(context: Context, task: TaskId): Promise<Reading> {
  const { state } = await load(context, task);
  const findings = await readFindings(context, state.sealed?.findings ?? null);
  const lines = findings.map(
    ({ severity, rule, path, text, fix }) => `${severity}: ${rule}, ${path}: ${text} → ${fix}`,
  );
  return { about: `What the gate found in the latest packet of ${task}`, text: lines.join('\n') };
}

async function diffOf(context: Context, task: TaskId): Promise<Reading> {
  const { state } = await load(context, task);
  const diff =
    state.packet === null ? undefined : (await readCheckedPacket(context, state.packet)).facts?.diff;
  if (diff === undefined)
    throw new StaffettaError('unknown-evidence', `The latest packet of task ${task} holds no diff.`, {
      details: { task },
      hint: 'It was sealed in haste, or without changes.',
    });
  const cut = diff.cut === true ? ', which was cut short' : '';
  return { about: `The diff of the latest packet${cut}`, text: textOf(await readBlob(context, diff.blob)) };
}

async function evidenceOf({ context, task, env }: Readable, id: string): Promise<Reading> {
  const evidence = await expandEvidence(context, task, id, readersOf(await loadRuntimes({ ...env })));
  return { about: `${id} of ${task}`, text: evidenceText(evidence) };
}

/** Of a single step all is shown; a result may be longer than a page. */
const stepCharsMax = 1_000_000;

function evidenceText(evidence: EvidenceFound): string {
  switch (evidence.kind) {
    case 'steps': {
      const { steps, session } = evidence;
      const sessions = session === null ? [] : [session];
      const story = { steps: steps.map((step) => ({ ...step, session: 0 })), sessions, unread: [] };
      return toMarkdown(story, { charsMax: stepCharsMax, title: 'Evidence' });
    }
    case 'run':
      return `${JSON.stringify(evidence.entry, null, 2)}\n\n${evidence.output === null ? '' : textOf(evidence.output)}`;
    case 'entry':
    case 'decision':
      return JSON.stringify(evidence.entry, null, 2);
  }
}

/** As it was captured with the latest packet; else as it lies in the workspace. */
async function fileOf({ context, task, folder }: Readable, path: string): Promise<Reading> {
  const { state } = await load(context, task);
  const packet = state.packet === null ? null : await readCheckedPacket(context, state.packet);
  const manifest = packet === null ? undefined : await readManifest(context, packet);
  const entry = manifest?.entries.find((one) => one.path === path);
  if (entry?.worktree?.type === 'file') {
    const bytes = await readBlob(context, entry.worktree.content.stored);
    return { about: `${path}, as the latest packet has it`, text: textOf(bytes) };
  }
  const workspace = folder === null ? undefined : await context.workspace?.();
  if (workspace !== undefined && (await workspace.at(path)).type === 'file') {
    const file = join(workspace.root, path);
    if (statSync(file).size <= limits.captureFileBytesMax)
      return { about: `${path}, as it lies in the workspace now`, text: textOf(readFileSync(file)) };
  }
  throw new StaffettaError(
    'unknown-evidence',
    `Neither the latest packet nor the workspace has a file ${JSON.stringify(path.slice(0, 200))}.`,
    {
      details: { task },
      hint: 'A packet holds the files that the work changed. Paths are relative to the root of the workspace.',
    },
  );
}

/** All of its texts, as they came with the latest packet. */
async function skillOf(context: Context, task: TaskId, name: string): Promise<Reading> {
  const { state } = await load(context, task);
  const packet = state.packet === null ? null : await readCheckedPacket(context, state.packet);
  const skill =
    packet === null
      ? undefined
      : (await carriedSkills(context, packet)).find((one) => one.name === name || one.skill === name);
  if (skill === undefined)
    throw new StaffettaError(
      'unknown-evidence',
      `No skill ${JSON.stringify(name.slice(0, 200))} came with the latest packet.`,
      { details: { task }, hint: 'take says which skills came.' },
    );
  const texts = skill.files.map(
    ({ path, bytes, text }) => `# ${path}\n\n${text ?? `(${bytes} bytes that are no text)`}`,
  );
  return { about: `The skill ${skill.name}, as the latest packet has it`, text: texts.join('\n\n') };
}

function textOf(bytes: Uint8Array): string {
  const text = new TextDecoder().decode(bytes);
  return text.includes('\0') ? `(${bytes.length} bytes that are no text)` : text;
}

/**
 * The captures in a folder: every `full.jsonl` below it, with the `metadata.json` beside it where there is one. One session is often
 * captured at several times; the longest is measured, and the longest that has a summary is held against that summary.
 */
import { createHash } from 'node:crypto';
import { closeSync, existsSync, openSync, readdirSync, readFileSync, readSync, statSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { isRecord, objectIn, recordAt, recordsIn, textAt } from './raw-records.ts';

export type Program = 'claude-code' | 'codex' | 'gemini-cli';

/** The fields of a summary that a model wrote of the session, each as the texts in it. */
export interface Summary {
  readonly intent: readonly string[];
  readonly outcome: readonly string[];
  readonly learnings: readonly string[];
  readonly openItems: readonly string[];
}
export const summaryFields = ['intent', 'outcome', 'learnings', 'openItems'] as const;

export interface Capture {
  /** Short, and says nothing of where it came from. */
  readonly name: string;
  readonly session: string;
  readonly program: Program | null;
  readonly path: string;
  readonly bytes: number;
  readonly summary: Summary | null;
  /** Another agent's, which nobody typed into. */
  readonly isSubagents: boolean;
  /** The longest capture of its session. */
  readonly isLongest: boolean;
}

export interface Captures {
  /** By session, in an order that only their ids decide. */
  readonly chosen: readonly Capture[];
  readonly files: number;
  readonly sessions: number;
  /** Left out: sessions of agents that an agent started. */
  readonly subagents: number;
}

export function capturesIn(folder: string): Captures {
  const found = new Map<string, Omit<Capture, 'isLongest'>[]>();
  const paths = filesIn(folder).toSorted();
  for (const path of paths) {
    const capture = captureAt(folder, path);
    found.set(capture.session, [...(found.get(capture.session) ?? []), capture]);
  }
  const subagents = [...found].filter(([, all]) => all.some(({ isSubagents }) => isSubagents));
  for (const [session] of subagents) found.delete(session);
  const chosen = [...found.values()].flatMap((all) => {
    const byLength = all.toSorted((a, b) => b.bytes - a.bytes || (a.path < b.path ? -1 : 1));
    const longest = byLength[0];
    const summed = byLength.find(({ summary }) => summary !== null);
    return [...new Set([longest, summed])].flatMap((one) =>
      one === undefined ? [] : [{ ...one, isLongest: one === longest }],
    );
  });
  return {
    chosen: chosen.toSorted((a, b) => (a.name < b.name ? -1 : 1)),
    files: paths.length,
    sessions: found.size,
    subagents: subagents.length,
  };
}

function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name === 'full.jsonl')
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => statSync(path).size > 0);
}

function captureAt(folder: string, path: string): Omit<Capture, 'isLongest'> {
  const beside = join(dirname(path), 'metadata.json');
  const metadata = existsSync(beside) ? objectIn(readFileSync(beside, 'utf8')) : null;
  const { program, id, isSubagents = false } = toldBy(path);
  const session = textAt(metadata, 'session_id') ?? id ?? relative(folder, path);
  const summary = metadata === null ? null : summaryOf(metadata['summary']);
  return {
    name: createHash('sha256')
      .update(`${session} ${relative(folder, path)}`)
      .digest('hex')
      .slice(0, 12),
    session,
    program,
    path,
    bytes: statSync(path).size,
    summary,
    isSubagents,
  };
}

const headBytes = 1_000_000;

interface Shape {
  readonly program: Program | null;
  readonly id: string | null;
  readonly isSubagents?: boolean;
}

/** Which program wrote it, by the shape of its records. */
function toldBy(path: string): Shape {
  for (const record of recordsIn(headOf(path))) {
    const payload = recordAt(record, 'payload');
    if (payload !== null)
      return {
        program: 'codex',
        id: textAt(payload, 'id'),
        isSubagents: recordAt(payload, 'source')?.['subagent'] !== undefined,
      };
    const id = textAt(record, 'sessionId');
    if (id !== null) return { program: 'claude-code', id };
  }
  const document = objectIn(readFileSync(path, 'utf8'));
  const id = textAt(document, 'sessionId');
  return { program: id !== null && document?.['projectHash'] !== undefined ? 'gemini-cli' : null, id };
}

function headOf(path: string): string {
  const file = openSync(path, 'r');
  try {
    const head = Buffer.alloc(headBytes);
    return head.subarray(0, readSync(file, head)).toString('utf8');
  } finally {
    closeSync(file);
  }
}

function summaryOf(summary: unknown): Summary | null {
  if (!isRecord(summary)) return null;
  return {
    intent: textsIn(summary['intent']),
    outcome: textsIn(summary['outcome']),
    learnings: textsIn(summary['learnings']),
    openItems: textsIn(summary['open_items']),
  };
}

function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return value.trim() === '' ? [] : [value];
  if (Array.isArray(value)) return value.flatMap(textsIn);
  return isRecord(value) ? Object.values(value).flatMap(textsIn) : [];
}

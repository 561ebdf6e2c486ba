/**
 * What `continues` hands over of a session: its own command, with its own settings, in a home that holds this session alone. It knows no
 * budget. Cut from its end it would lose the conversation and keep output of tools, so its longest part is shortened instead, until
 * the whole fits: a cut in its favour.
 */
import { execFile } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import type { Capture } from './captures.ts';

const msMax = 60_000;

type Count = (text: string) => number;

const places = {
  'claude-code': { source: 'claude', file: (id: string) => `.claude/projects/project/${id}.jsonl` },
  codex: {
    source: 'codex',
    file: (id: string) => `.codex/sessions/2026/01/01/rollout-2026-01-01T00-00-00-${id}.jsonl`,
  },
} as const;

const uuid = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/i;

export function isRivals({ program }: Pick<Capture, 'program'>): boolean {
  return program !== null && program in places;
}

/** The whole of it; `command` is the file that its package names as its command. */
export async function rivalHandoff(capture: Capture, command: string): Promise<string> {
  const { program, session, path } = capture;
  if (program === null || !(program in places)) throw new Error(`it keeps no session of ${program}`);
  const { source, file } = places[program as keyof typeof places];
  const home = mkdtempSync(join(tmpdir(), 'staffetta-rival-'));
  try {
    // It looks for files that are named by such an id alone.
    const id = uuid.exec(session)?.[0];
    if (id === undefined) throw new Error(`the session ${session} has no id that it would look for`);
    const kept = join(home, file(id));
    mkdirSync(dirname(kept), { recursive: true });
    copyFileSync(path, kept);
    const out = join(home, 'out');
    await promisify(execFile)(process.execPath, [command, 'dump', source, out], {
      cwd: home,
      env: { HOME: home, PATH: process.env['PATH'] },
      timeout: msMax,
    });
    const written = readdirSync(out).find((name) => name.endsWith('.md'));
    if (written === undefined) throw new Error('it wrote nothing');
    return readFileSync(join(out, written), 'utf8');
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

export function cutTo(budget: number, text: string, count: Count): string {
  let parts = text.split(/(?=^## )/m).map((part) => part.split('\n'));
  while (count(shown(parts)) > budget) {
    const longest = parts.toSorted((a, b) => b.join('\n').length - a.join('\n').length)[0] ?? [];
    const keep = Math.max(1, Math.floor(longest.length * 0.95) - 1);
    // A part that is one long line has no line to lose.
    const less =
      longest.length > 2
        ? [...longest.slice(0, keep), '']
        : [longest.join('\n').slice(0, Math.floor(longest.join('\n').length * 0.9))];
    parts = parts.map((part) => (part === longest ? less : part));
  }
  return shown(parts);
}

function shown(parts: readonly (readonly string[])[]): string {
  return parts.map((part) => part.join('\n')).join('');
}

/** A made-up session on its way to a briefing: searched for secrets, read back, and with the workspace that its edits made. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { BriefingInput } from '../../src/core/briefing/briefing.ts';
import { digestOf } from '../../src/core/digest.ts';
import type { Packet } from '../../src/core/packet.ts';
import type { Redactor } from '../../src/core/redact/redactor.ts';
import { storyOf, type Story } from '../../src/core/transcript/story.ts';
import type { WorkspaceFacts } from '../../src/core/workspace.ts';
import type { Runtime } from '../../src/ports/runtime.ts';
import { openWorkspace } from '../../src/workspace/open.ts';
import { nativeRecords } from './native.ts';
import type { MadeSession } from './session.ts';

export async function captured(
  runtime: Runtime,
  session: MadeSession,
  redactor: Redactor,
): Promise<{ readonly story: Story; readonly bytes: number }> {
  const native = Buffer.concat(
    nativeRecords(runtime.name, session).flatMap((record) => [record, Buffer.from('\n')]),
  );
  const clean = Buffer.from((await redactor.bytes(native)).value).toString('utf8');
  const records = clean
    .trimEnd()
    .split('\n')
    .map((line) => Buffer.from(line));
  const part = { runtime: runtime.name, session: 'made', before: 0, fromStart: true, records, omissions: [] };
  return { story: storyOf([part], () => (lines) => runtime.read(lines)), bytes: native.length };
}

export function inputOf(
  story: Story,
  workspace: WorkspaceFacts | null,
  count: BriefingInput['count'],
): BriefingInput {
  const task = 't0123456789ab';
  const contract = { v: 1, title: 'A session', goal: 'Go on where the session stopped.' } as const;
  const packet: Packet | null =
    workspace === null
      ? null
      : {
          v: 1,
          task,
          parent: null,
          contract: digestOf('contract'),
          generation: 1,
          head: { seq: 0, digest: digestOf('head') },
          at: 0,
          from: { name: 'code', kind: 'agent' },
          lane: 'execute',
          trigger: 'planned',
          claims: {},
          artefacts: [],
          transcript: [],
          facts: { workspace },
        };
  return { task, contract, packet, story, count };
}

/** The session's edits in a real repository; one file in three is put back, and a command makes one that no edit tool made. */
export async function worked(folder: string, { turns }: MadeSession): Promise<WorkspaceFacts> {
  const git = (...args: readonly string[]): void => {
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.org', ...args], { cwd: folder });
  };
  const put = (path: string, text: string): void => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  };
  const edits = turns.flatMap(({ actions }) =>
    actions.flatMap((action) => (action.kind === 'edit' ? [action] : [])),
  );
  const paths = [...new Set(edits.map(({ path }) => path))].toSorted();
  for (const path of paths) put(path, 'as it was\n');
  put('kept.txt', 'never touched\n');
  git('init', '-q');
  git('add', '-A');
  git('commit', '-q', '-m', 'all');
  for (const { path, content } of edits) put(path, content);
  for (const [i, path] of paths.entries()) if (i % 3 === 0) git('checkout', '-q', '--', path);
  put('made/by-a-command.txt', 'touched\n');
  return await (await openWorkspace(folder)).probe();
}

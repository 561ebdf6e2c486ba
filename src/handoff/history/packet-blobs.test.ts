/** What a packet, its findings and the runs before it keep in the store is kept as long as the task is, and looked after. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { assert } from '../../core/base/assert.ts';
import type { Digest } from '../../core/journal/digest.ts';
import type { TaskId } from '../../core/journal/id.ts';
import { manifestBlobs } from '../../core/tree/workspace.ts';
import { ada, stage, type Stage } from '../../../test/support/world.ts';
import { history, readPacket } from './history.ts';
import { readManifest } from './packet-blobs.ts';
import { sweep } from '../verbs/sweep.ts';
import { verifyTask } from '../trust/verify.ts';

let folder = '';
let at: Stage;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'packet-blobs-'));
  at = stage({ workspace: folder });
});

afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

interface Kept {
  readonly task: TaskId;
  readonly manifest: Digest;
  readonly content: Digest;
  readonly diff: Digest;
  readonly findings: Digest;
  readonly output: Digest;
}

/** A task that has something of everything; contents are its own. */
async function kept(name: string, end: 'goes on' | 'is over'): Promise<Kept> {
  writeFileSync(join(folder, 'work.txt'), `the work of ${name}\n`);
  const say = `console.log(${JSON.stringify(`checked ${name}`)})`;
  const leg = await at.staffetta.begin(
    { goal: `Keep ${name}.`, validation: [{ run: ['node', '-e', say] }] },
    { as: ada },
  );
  await leg.validate();
  const { state } = await leg.checkpoint({ claims: { summary: `<${name}>` } });
  assert(state.packet !== null && state.sealed?.findings, 'it was sealed with findings');
  const packet = await readPacket(at.context, state.packet);
  const manifest = await readManifest(at.context, packet);
  const [content] = manifest === undefined ? [] : manifestBlobs(manifest);
  const { manifest: list, diff } = packet.facts ?? {};
  let output: Digest | undefined;
  for await (const item of history(at.context, leg.task))
    if (item.kind === 'entry')
      for (const event of item.entry.events) if (event.type === 'validation-run') output = event.output;
  assert(
    content !== undefined && list !== undefined && diff !== undefined && output !== undefined,
    'all of it',
  );
  if (end === 'is over') await leg.fail('It is over.');
  return {
    task: leg.task,
    manifest: list,
    content,
    diff: diff.blob,
    findings: state.sealed.findings,
    output,
  };
}

const parts = ['manifest', 'content', 'diff', 'findings', 'output'] as const;

test('a sweep keeps what living tasks need and drops what only swept ones needed', async () => {
  const over = await kept('the old task', 'is over');
  const living = await kept('the new task', 'goes on');
  for (const part of parts) expect(over[part]).not.toBe(living[part]);
  await at.clock.advance(365 * 24 * 60 * 60 * 1000);
  expect((await sweep(at.context, { olderThanMs: 0 })).tasks).toEqual([over.task]);
  for (const part of parts) {
    expect(at.world.blobs.has(over[part]), `${part} of the swept task`).toBe(false);
    expect(at.world.blobs.has(living[part]), `${part} of the living task`).toBe(true);
  }
  expect((await verifyTask(at.context, living.task)).faults).toEqual([]);
});

describe('verify', () => {
  test.each(parts)('finds a missing and an altered %s', async (part) => {
    const found = await kept('the task', 'goes on');
    const blob = at.world.blobs.get(found[part]);
    assert(blob !== undefined, 'it is there');
    at.world.blobs.delete(found[part]);
    expect((await verifyTask(at.context, found.task)).faults).toMatchObject([
      { kind: 'completeness', blob: found[part] },
    ]);
    const bytes = Uint8Array.from(blob.bytes);
    bytes[0] = (bytes[0] ?? 0) ^ 1;
    at.world.blobs.set(found[part], { ...blob, bytes });
    expect((await verifyTask(at.context, found.task)).faults).toMatchObject([
      { kind: 'integrity', blob: found[part] },
    ]);
    at.world.blobs.set(found[part], blob);
    expect((await verifyTask(at.context, found.task)).faults).toEqual([]);
  });
});

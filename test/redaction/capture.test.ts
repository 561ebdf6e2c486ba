/** P9: whatever lies in a repository, no secret of it gets into a blob, an entry, a packet, a manifest or a restored file. */
import { createHash } from 'node:crypto';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { assert } from '../../src/core/base/assert.ts';
import { digestOf } from '../../src/core/journal/digest.ts';
import { StaffettaError } from '../../src/core/base/error.ts';
import type { TaskId } from '../../src/core/journal/id.ts';
import { createRedactor, type Redactor } from '../../src/core/redact/redactor.ts';
import { checkpoint } from '../../src/handoff/verbs/finish.ts';
import { readPacket } from '../../src/handoff/history/history.ts';
import { readManifest } from '../../src/handoff/history/packet-blobs.ts';
import { restore } from '../../src/handoff/verbs/restore.ts';
import { runs } from '../property/seed.ts';
import { ada, stage, worldText, type Stage } from '../support/world.ts';
import { commit, fresh, git, init, link, write } from '../workspace/sandbox.ts';
import { kinds, Random } from './kinds.ts';

const places = ['tracked', 'staged', 'untracked', 'renamed', 'binary', 'removed', 'name', 'target'] as const;
type Place = (typeof places)[number];

interface Planted {
  readonly place: Place;
  readonly text: string;
  readonly secrets: readonly string[];
  readonly line: string;
}

const planted = fc
  .tuple(fc.constantFrom(...places), fc.constantFrom(...kinds), fc.nat({ max: 1000 }))
  .map(([place, kind, n]): Planted => {
    const { text, secrets } = kind.make(new Random(`${kind.name} ${n}`));
    return { place, text, secrets, line: `${kind.variable}="${text}"` };
  });

/** Contents that hold a secret, as they were before anything was taken out. */
function plant(folder: string, all: readonly Planted[]): string[] {
  const contents: string[] = [];
  const put = (path: string, content: string): void => {
    contents.push(content);
    write(folder, path, content);
  };
  for (const [n, { place, line }] of all.entries()) {
    write(folder, `${n}.txt`, place === 'removed' ? `${line}\n` : 'nothing yet\n'.repeat(20));
  }
  commit(folder, 'Begin.');
  for (const [n, { place, line, text }] of all.entries()) {
    const path = `${n}.txt`;
    if (place === 'tracked') put(path, `first\n${line}\nlast\n`);
    else if (place === 'untracked') put(`new-${n}.env`, `${line}\n`);
    else if (place === 'binary') put(`${n}.bin`, `\0\x01\x02\n${line}\n\0`);
    else if (place === 'removed') write(folder, path, 'it is gone\n');
    else if (place === 'staged') {
      put(path, `staged\n${line}\n`);
      git(folder, 'add', path);
      write(folder, path, 'not any more\n');
    } else if (place === 'renamed') {
      git(folder, 'mv', path, `moved-${n}.txt`);
      put(`moved-${n}.txt`, `${'nothing yet\n'.repeat(20)}${line}\n`);
      git(folder, 'add', '-A');
    } else if (place === 'name' && isName(text)) write(folder, nameOf(text), 'x\n');
    else if (place === 'target' && isName(text)) link(folder, `link-${n}`, targetOf(text));
  }
  return contents;
}

const isName = (text: string): boolean => /^[\w.-]{1,120}$/.test(text);

const nameOf = (text: string): string => `dir/${text}.txt`;
const targetOf = (text: string): string => `dir/${text}`;

/** Guesses touch no binary content, and what is only known by what stands around it is not known in a path. */
async function isKnown(redactor: Redactor, { place, text, line, secrets }: Planted): Promise<boolean> {
  if (place === 'name' || place === 'target') {
    const path = place === 'name' ? nameOf(text) : targetOf(text);
    return (await redactor.text(path)).redactions.findings.length > 0;
  }
  if (place !== 'binary') return true;
  const { value } = await redactor.bytes(Buffer.from(`\0${line}`));
  return secrets.every((secret) => !Buffer.from(value).includes(secret));
}

function everything({ world }: Stage): string {
  const blobs = [...world.blobs.values()].map(({ bytes }) => Buffer.from(bytes).toString('latin1'));
  return [worldText(world), ...blobs].join('\n');
}

async function checkpointIn(folder: string): Promise<{ at: Stage; task: TaskId; restored: string }> {
  const at = stage({ workspace: folder });
  const leg = await at.staffetta.begin({ goal: 'Rotate the keys.' }, { as: ada });
  const { findings } = await leg.checkpoint({ claims: { next: 'go on' } });
  await leg.handoff({ to: 'lane:execute' });
  expect(findings.map(({ rule }) => rule)).not.toContain('secret-in-text');
  return { at, task: leg.task, restored: fresh('restored') };
}

test('no planted secret is stored or comes back', { timeout: 600_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(planted, { minLength: 1, maxLength: 6 }), async (given) => {
      const redactor = createRedactor({ key: Buffer.alloc(32, 9) });
      const all: Planted[] = [];
      for (const one of given) if (await isKnown(redactor, one)) all.push(one);
      const folder = init();
      const contents = plant(folder, all);
      const { at, task, restored } = await checkpointIn(folder);
      const kept = everything(at);
      for (const { secrets, place } of all)
        for (const secret of secrets) assert(!kept.includes(secret), `${place}: ${secret} was stored`);
      for (const content of contents) {
        const bytes = Buffer.from(content);
        const blob = createHash('sha1').update(`blob ${bytes.length}\0`).update(bytes).digest('hex');
        expect(kept).not.toContain(digestOf(bytes));
        expect(kept).not.toContain(blob);
      }
      const report = await restore(at.context, task, { worktree: restored });
      for (const path of report.written.filter((one) => !one.startsWith('link-'))) {
        const text = readFileSync(join(restored, path), 'latin1');
        for (const { secrets, place } of all.filter((one) => one.place !== 'removed'))
          for (const secret of secrets) assert(!text.includes(secret), `${place}: it came back`);
      }
      const wanted = all.flatMap(({ place }, n) =>
        place === 'tracked'
          ? [`${n}.txt`]
          : place === 'untracked'
            ? [`new-${n}.env`]
            : place === 'binary'
              ? [`${n}.bin`]
              : place === 'renamed'
                ? [`moved-${n}.txt`]
                : [],
      );
      const said = new Set([...report.redacted, ...report.held.map(({ path }) => path)]);
      expect(wanted.filter((path) => !said.has(path))).toEqual([]);
      git(folder, 'worktree', 'remove', '--force', restored);
      rmSync(folder, { recursive: true, force: true });
    }),
    runs(15),
  );
});

test('a file whose name holds a secret is left out and named without it', async () => {
  const folder = init();
  const secret = `ghp_${'Ab3dE6gH9j'.repeat(3)}Klm4Pq`;
  write(folder, `${secret}.txt`, 'x\n');
  write(folder, 'plain.txt', 'y\n');
  const { at, task } = await checkpointIn(folder);
  const { packet } = await at.staffetta.show(task);
  assert(packet !== null, 'nothing was sealed');
  const manifest = await readManifest(at.context, await readPacket(at.context, packet));
  expect(manifest?.entries.map(({ path }) => path)).toEqual(['plain.txt']);
  expect(manifest?.losses).toMatchObject([{ reason: 'secret-name' }]);
  expect(everything(at)).not.toContain(secret);
});

test('what cannot be searched is left out as a loss, and the rest is sealed', async () => {
  const folder = init();
  write(folder, 'endless.txt', 'short\n');
  commit(folder);
  write(folder, 'endless.txt', 'one endless line');
  write(folder, 'plain.txt', 'y\n');
  const at = stage({ workspace: folder });
  const redactor = await at.context.redactor();
  const picky: Redactor = {
    ...redactor,
    bytes: async (bytes) => {
      if (Buffer.from(bytes).includes('endless line'))
        throw new StaffettaError('too-large', 'A line is too long to be searched.');
      return await redactor.bytes(bytes);
    },
  };
  const context = { ...at.context, redactor: async () => picky };
  const leg = await at.staffetta.begin({ goal: 'Carry on.' }, { as: ada });
  const { state } = await checkpoint(context, leg, {}, { by: ada });
  assert(state.packet !== null, 'nothing was sealed');
  const packet = await readPacket(context, state.packet);
  const manifest = await readManifest(context, packet);
  expect(manifest?.losses).toEqual([
    { path: '.', reason: 'no-diff' },
    { path: 'endless.txt', reason: 'unsearchable', bytes: 16 },
  ]);
  expect(manifest?.entries.map(({ path, worktree }) => [path, worktree?.type])).toEqual([
    ['endless.txt', undefined],
    ['plain.txt', 'file'],
  ]);
  expect(packet.facts?.diff).toBeUndefined();
  expect(everything(at)).not.toContain('endless line');
});

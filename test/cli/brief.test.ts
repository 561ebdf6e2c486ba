/** P11, P12: a packet as files for people and other tools, and the claims of an edited file on their way back. */
import { existsSync, lstatSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readHandoff } from '../../src/core/files/handoff-read.ts';
import { newFolder, staffetta } from './command.ts';
import { stages } from './stage.ts';
import { claims, contract, git, handedOver, read, repository, withRelay, work, write } from './worked.ts';

describe('brief', () => {
  test('writes the briefing that it prints, and behind it the packet with its facts, whose claims come back', async () => {
    const { folder, task, packet } = await handedOver();
    const into = newFolder();
    await staffetta(['brief', task, '--write', into], { cwd: folder });
    const briefing = await staffetta(['brief', task], { cwd: folder });
    expect(read(into, 'HANDOFF.md').startsWith(briefing.stdout.trimEnd())).toBe(true);
    expect(readHandoff(read(into, 'HANDOFF.md'))).toMatchObject({ claims, remarks: [] });
    write(folder, 'limit.js', 'export const limit = 99;\n');
    const first = await staffetta(['brief', task, '--at', packet.slice(7, 17)], {
      cwd: newFolder(),
      env: { STAFFETTA_STORE: join(folder, '.staffetta', 'store.db') },
    });
    expect(readHandoff(first.stdout).claims).toEqual(claims);
    const head = git(folder, 'rev-parse', 'HEAD').trim();
    for (const said of [
      `Packet ${packet}.`,
      '## Facts',
      `branch main, HEAD ${head}`,
      'its branch has no upstream',
      '- modified: limit.js',
      '- untracked: notes.txt',
      '- deleted: old.js',
    ])
      expect(first.stdout).toContain(said);
  });

  test('writes HANDOFF.md and progress.json, and brings its own files up to date', async () => {
    const folder = repository();
    const into = join(newFolder(), 'for', 'others');
    const task = await withRelay(folder, async (relay) => {
      const leg = await relay.begin({ ...contract, phases: [{ name: 'measure', criteria: ['a number'] }] });
      work(folder);
      await leg.checkpoint({ claims: { ...claims, questions: [{ text: 'Per key?' }] } });
      return leg.task;
    });
    const tried = await staffetta(['brief', task, '--write', into, '--dry-run'], { cwd: folder });
    expect(tried.stdout).toContain('HANDOFF.md: would be written');
    expect(existsSync(into)).toBe(false);
    const ran = await staffetta(['brief', task, '--write', into, '--json'], { cwd: folder });
    expect(read(into, 'HANDOFF.md')).toBe(ran.json['handoff']);
    const progress = JSON.parse(read(into, 'progress.json')) as unknown;
    expect(progress).toEqual(ran.json['progress']);
    expect(progress).toMatchObject({
      v: 1,
      task,
      status: 'held',
      holder: 'code',
      packet: ran.json['packet'],
      phases: [{ name: 'measure', criteria: ['a number'], status: 'not-started' }],
      progress: null,
      next: claims.next,
      questions: [{ text: 'Per key?', owner: null }],
      validation: [{ run: ['node', 'limit.js'], outcome: null, standing: 'not-run', at: null, exit: null }],
    });
    const same = await staffetta(['brief', task, '--write', into], { cwd: folder });
    expect(same.stdout.match(/is up to date/g)).toHaveLength(2);
    await staffetta(['checkpoint', task, '--next', 'write the docs', '--as', 'code'], { cwd: folder });
    const newer = await staffetta(['brief', task, '--write', into], { cwd: folder });
    expect(newer.stdout.match(/brought up to date/g)).toHaveLength(2);
    expect(read(into, 'HANDOFF.md')).toContain('write the docs');
  });

  test('overwrites neither what is not its own nor what was edited, unless told', async () => {
    const { folder, task } = await handedOver();
    for (const [name, spoil] of [
      ['HANDOFF.md', () => '# My notes\n'],
      ['HANDOFF.md', (text: string) => text.replace('counts requests', 'counts everything')],
      ['progress.json', (text: string) => text.replace('"offered"', '"done"')],
    ] as const) {
      const into = newFolder();
      await staffetta(['brief', task, '--write', into], { cwd: folder });
      const edited = spoil(read(into, name));
      writeFileSync(join(into, name), edited);
      const refused = await staffetta(['brief', task, '--write', into, '--json'], { cwd: folder });
      expect(refused).toMatchObject({ status: 5, json: { error: { code: 'file-exists' } } });
      expect(read(into, name)).toBe(edited);
      const told = await staffetta(['brief', task, '--write', into, '--replace'], { cwd: folder });
      expect(told.stdout).toContain(`${name}: replaced`);
      expect(read(into, name)).not.toBe(edited);
    }
  });

  test('never writes through a link', async () => {
    const { folder, task } = await handedOver();
    const into = newFolder();
    const outside = join(newFolder(), 'outside.md');
    writeFileSync(outside, 'mine\n');
    symlinkSync(outside, join(into, 'HANDOFF.md'));
    expect((await staffetta(['brief', task, '--write', into], { cwd: folder })).status).toBe(5);
    expect(existsSync(join(into, 'progress.json'))).toBe(false);
    await staffetta(['brief', task, '--write', into, '--replace'], { cwd: folder });
    expect(lstatSync(join(into, 'HANDOFF.md')).isFile()).toBe(true);
    expect(readFileSync(outside, 'utf8')).toBe('mine\n');
  });

  test('says what to do where there is no packet, and where the folder is none', async () => {
    const { folder, task } = await stages.offered();
    const none = await staffetta(['brief', task, '--write', newFolder(), '--json'], { cwd: folder });
    expect(none).toMatchObject({ status: 3, json: { error: { code: 'unknown-packet' } } });
    const { folder: other, task: given } = await stages.handedOff();
    writeFileSync(join(other, 'file'), '');
    const bad = await staffetta(['brief', given, '--write', 'file/inner', '--json'], { cwd: other });
    expect(bad).toMatchObject({ status: 2, json: { error: { code: 'invalid-input' } } });
    const stray = await staffetta(['brief', given, '--replace'], { cwd: other });
    expect(stray.stderr).toContain('--replace means nothing here');
  });
});

/** Seals a packet from a HANDOFF.md that was changed, and returns it. */
async function edited(
  change: (text: string) => string,
): Promise<{ stderr: string; packet: unknown; notes: string }> {
  const folder = repository();
  const task = await withRelay(folder, async (relay) => {
    const leg = await relay.begin(contract);
    work(folder);
    await leg.checkpoint({ claims });
    return leg.task;
  });
  const into = newFolder();
  await staffetta(['brief', task, '--write', into], { cwd: folder });
  const file = join(into, 'HANDOFF.md');
  const [briefing, packet] = read(into, 'HANDOFF.md').split(/(?=^# Handoff: )/m);
  writeFileSync(file, `${briefing ?? ''}${change(packet ?? '')}`);
  const ran = await staffetta(['checkpoint', task, '--claims', file, '--as', 'code'], { cwd: folder });
  expect(ran.status).toBe(0);
  const shown = await staffetta(['show', task, '--packet', 'latest', '--json'], { cwd: folder });
  const { stdout: notes } = await staffetta(['log', task, '--json'], { cwd: folder });
  return { stderr: ran.stderr, packet: shown.json, notes };
}

describe('an edited HANDOFF.md', () => {
  test('gives its claims to the next packet, without a word where only claims were edited', async () => {
    const { stderr, packet } = await edited((text) => text.replace('answer with 429', 'answer with 503'));
    expect(packet).toMatchObject({ claims: { ...claims, next: 'answer with 503 in limit.js' } });
    expect(stderr).not.toContain('not taken over');
  });

  test('does not give its facts, and the tool says so', async () => {
    const { stderr, packet } = await edited((text) =>
      text.replace('- untracked: notes.txt', '- untracked: gold.txt'),
    );
    expect(stderr).toContain('contract and facts in it are not taken over');
    expect(JSON.stringify(packet)).not.toContain('gold.txt');
    expect(packet).toMatchObject({ claims });
  });

  test('keeps what stands under a heading that means nothing as a note', async () => {
    const { stderr, packet, notes } = await edited((text) =>
      text.replace(
        '## Next action',
        '## Performance\n\n1. slow\n\n## Completed\n\n1. [x] measured\n\n## Next action',
      ),
    );
    expect(stderr).toMatch(/HANDOFF\.md, line \d+: "Performance" is no heading of claims/);
    expect(notes).toContain('HANDOFF.md:\\n## Performance\\n1. slow');
    expect(packet).toMatchObject({
      claims: { done: expect.arrayContaining(['measured']) as unknown[], next: claims.next },
    });
  });

  test('without any claims is refused', async () => {
    const { folder, task } = await stages.held();
    writeFileSync(join(folder, 'notes.md'), '# Notes\n');
    const ran = await staffetta(['checkpoint', task, '--claims', 'notes.md', '--as', 'code', '--json'], {
      cwd: folder,
    });
    expect(ran).toMatchObject({ status: 2, json: { error: { code: 'invalid-input' } } });
  });
});

/** P6: a result holds for the content it was seen on, until the next edit, whatever is staged or committed meanwhile. */
import { chmodSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { GitFolder } from '../../../test/support/git-folder.ts';
import { ada, stage, type Stage } from '../../../test/support/world.ts';
import { judgeDraft, judgeLatest } from './judge.ts';
import { readPacket } from '../history/history.ts';
import { packetResults } from '../../core/files/handoff-facts.ts';
import type { Leg } from '../verbs/leg.ts';
import { pickupOf } from '../views/pickup.ts';

let folder: GitFolder;
let at: Stage;
let leg: Leg;

const check = { run: ['node', 'check.js'] };

beforeEach(async () => {
  folder = new GitFolder({ 'check.js': '0;\n', 'limit.js': '1;\n' });
  at = stage({ workspace: folder.path });
  leg = await at.staffetta.begin(
    { goal: 'It counts.', validation: [check], phases: [{ name: 'one', verify: [check] }] },
    { as: ada },
  );
  folder.write('limit.js', '2;\n');
  folder.write('new.js', '3;\n');
  await leg.startPhase('one');
  await leg.validate();
  await leg.verifyPhase('one');
});

afterEach(() => folder.remove());

async function unproven(): Promise<string[]> {
  const { findings } = await judgeDraft(at.context, leg.task, { occasion: 'submit' }, { by: ada });
  return findings
    .map(({ rule }) => rule)
    .filter((rule) => rule === 'validation-unproven' || rule === 'phases-unfinished');
}

async function standings(): Promise<string[]> {
  const pickup = await pickupOf(at.context, await leg.state(), { contract: leg.contract, packet: null });
  return pickup.validation.map(({ standing }) => standing);
}

describe('a result still holds', () => {
  test.each<[string, () => void]>([
    ['nothing happened', () => {}],
    ['the work is staged', () => void folder.git('add', '-A')],
    ['a part of it is staged', () => void folder.git('add', 'new.js')],
    ['the work is committed', () => folder.commit()],
    [
      'the work is committed and the commit undone',
      () => {
        folder.commit();
        folder.git('reset', '-q', '--soft', 'HEAD~1');
      },
    ],
    [
      'another branch is on',
      () => {
        folder.commit();
        folder.git('switch', '-qc', 'other');
      },
    ],
  ])('when %s', async (_what, happen) => {
    happen();
    expect(await standings()).toEqual(['bound']);
    expect(await unproven()).toEqual([]);
  });
});

describe('a result holds no longer', () => {
  test.each<[string, () => void]>([
    ['a changed file is edited', () => folder.write('limit.js', '4;\n')],
    ['a file as in HEAD is edited', () => folder.write('check.js', '1;\n')],
    ['a file is added', () => folder.write('more.js', '1;\n')],
    ['a file becomes executable', () => chmodSync(join(folder.path, 'new.js'), 0o755)],
    ['the work is stashed', () => void folder.git('stash', '-qu')],
    [
      'it is committed with an edit',
      () => {
        folder.write('new.js', '4;\n');
        folder.commit();
      },
    ],
  ])('when %s', async (_what, happen) => {
    happen();
    expect(await standings()).toEqual(['stale']);
    expect(await unproven()).toEqual(['validation-unproven', 'phases-unfinished']);
  });
});

test('a packet tells what was proven of its own workspace, also after a commit', async () => {
  folder.commit();
  const { state } = await leg.checkpoint();
  const packet = await readPacket(at.context, state.packet ?? 'sha256:');
  expect(packetResults(packet, leg.contract)).toMatchObject([{ outcome: 'passed', standing: 'bound' }]);
  folder.write('limit.js', '5;\n');
  const rules = (await judgeLatest(at.context, leg.task)).findings.map(({ rule }) => rule);
  expect(rules).toContain('tree-moved');
  expect(rules).not.toContain('validation-unproven');
});

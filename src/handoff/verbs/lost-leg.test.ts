/** P3: what runs under a leg stops with it, and leaves nothing on record. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { GitFolder } from '../../../test/support/git-folder.ts';
import { ada, stage, type Stage } from '../../../test/support/world.ts';
import { limits } from '../../core/base/limits.ts';
import type { Workspace } from '../../ports/workspace.ts';
import { openWorkspace } from '../../workspace/open.ts';
import type { Leg } from './leg.ts';
import { load } from '../record/load.ts';
import { rollBackPhase, startPhase, verifyPhase } from './phase.ts';
import { recover } from './recover.ts';
import { validate } from './validate.ts';

/** Ends only by a signal, and would then go on with the next command. */
const endless = { run: ['tail', '-f', '/dev/null'] };
const marks = { run: ['touch', 'after'] };

let folder: GitFolder;
let at: Stage;
let leg: Leg;
/** Happens while the first command runs. */
let meanwhile: () => Promise<void>;
let started = 0;

/** Starts the real command, and lets the rest happen beside it. */
function watched(workspace: Workspace): Workspace {
  return {
    ...workspace,
    async run(command, options) {
      started += 1;
      const [ran] = await Promise.all([workspace.run(command, options), started === 1 && meanwhile()]);
      return ran;
    },
  };
}

async function lose(): Promise<void> {
  at.clock.set(at.clock.now() + limits.leaseMsMax + 1);
  expect((await recover(at.context)).lapsed).toEqual([leg.task]);
  await at.clock.advance(limits.lossLookMs);
}

beforeEach(async () => {
  started = 0;
  meanwhile = lose;
  folder = new GitFolder({ 'a.txt': '1\n' });
  at = stage({ gate: 'record', workspace: watched(await openWorkspace(folder.path)) });
  const phase = { name: 'build', verify: [endless, marks], rollback: [endless, marks] };
  leg = await at.staffetta.begin(
    { goal: 'It counts.', validation: [endless, marks], phases: [phase] },
    { as: ada, leaseMs: limits.leaseMsMax },
  );
});

afterEach(() => folder.remove());

const by = { by: ada };

test.each([
  ['a validation', async () => await validate(at.context, leg.task, { generation: leg.generation }, by)],
  ['what verifies a phase', async () => await verifyPhase(at.context, leg, { phase: 'build' }, by)],
  [
    'what undoes a phase',
    async () => await rollBackPhase(at.context, leg, { phase: 'build', why: 'No good.' }, by),
  ],
])(
  '%s is ended when its leg is lost, the next command is not started, and nothing is recorded',
  async (_, run) => {
    await startPhase(at.context, leg, 'build', by);
    await expect(run()).rejects.toMatchObject({ code: 'stale-generation' });
    expect(started).toBe(1);
    expect(existsSync(join(folder.path, 'after'))).toBe(false);
    expect((await load(at.context, leg.task)).state.runs).toEqual([]);
  },
);

test('a command is not started once the leg is over', async () => {
  meanwhile = async () => {};
  const validating = validate(
    at.context,
    leg.task,
    {
      generation: leg.generation,
      starting: () => {
        const kept = at.world.tasks.get(leg.task);
        if (kept !== undefined) kept.lease = null;
      },
    },
    by,
  );
  await expect(validating).rejects.toMatchObject({ code: 'stale-generation' });
  expect(started).toBe(0);
});

/** Everything that ends a task, and the upkeep of the store. */
import { existsSync, readdirSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Staffetta } from '../../src/library/staffetta.ts';
import { openSqliteStore } from '../../src/stores/sqlite/open.ts';
import { openStaffetta } from '../../src/library/staffetta.ts';
import { limits } from '../../src/core/base/limits.ts';
import { amend } from '../../src/handoff/verbs/amend.ts';
import { complete, fail, review, submit } from '../../src/handoff/verbs/finish.ts';
import { cancel } from '../../src/handoff/verbs/outside.ts';
import { record } from '../../src/handoff/record/record.ts';
import {
  ada,
  begun,
  bob,
  by,
  eve,
  first,
  goal,
  idOf,
  noise,
  offered,
  task,
  type Scenario,
} from './scenario.ts';
import { inStore, journalsOf } from './stage.ts';

async function submitted(staffetta: Staffetta): Promise<void> {
  const leg = await staffetta.begin({ ...goal, review: { human: true } }, { key: 'task' });
  await leg.submit({ claims: { summary: 'It arrived.' }, transcript: 'I arrived.\n' });
}

/** Two tasks that wait for the first. */
async function needed(staffetta: Staffetta): Promise<void> {
  await begun(staffetta);
  await staffetta.open({ ...goal, needs: [task] }, { key: 'waits' });
  await staffetta.open({ ...goal, needs: [task] }, { key: 'waits too' });
}

async function packetOf(staffetta: Staffetta): Promise<`sha256:${string}` | null> {
  return (await staffetta.show(task)).packet;
}

export const finishScenarios: readonly Scenario[] = [
  {
    name: 'submit',
    prepare: begun,
    act: async ({ staffetta: { context } }) =>
      await submit(context, first, { claims: { summary: 'It arrived.' }, transcript: noise(900) }, by(ada)),
  },
  {
    name: 'approve',
    prepare: submitted,
    act: async ({ staffetta }) => {
      const verdict = { approve: true, packet: await packetOf(staffetta) } as const;
      return await review(staffetta.context, task, verdict, by(eve));
    },
  },
  {
    name: 'send back',
    prepare: submitted,
    act: async ({ staffetta }) => {
      const findings = [{ text: 'The seal is broken.', path: 'dispatch.txt', line: 1 }];
      const verdict = { approve: false, packet: await packetOf(staffetta), findings } as const;
      return await review(staffetta.context, task, verdict, by(eve));
    },
  },
  {
    name: 'complete, freeing those that waited',
    prepare: needed,
    act: async ({ staffetta: { context } }) =>
      await complete(context, first, { claims: { done: ['All.'] } }, by(ada)),
  },
  {
    name: 'amend, so that the task waits for another',
    prepare: async (staffetta) => {
      await offered(staffetta);
      await staffetta.open(goal, { key: 'another' });
    },
    act: async ({ staffetta: { context } }) =>
      await amend(
        context,
        task,
        {
          change: (contract) => ({ ...contract, needs: [idOf('another')] }),
          asked: 'wait',
          why: 'One by one.',
        },
        by(eve),
      ),
  },
  {
    name: 'fail',
    prepare: begun,
    act: async ({ staffetta: { context } }) => await fail(context, first, 'The road is gone.', by(ada)),
  },
  {
    name: 'cancel',
    prepare: begun,
    act: async ({ staffetta: { context } }) => await cancel(context, task, 'Peace broke out.', by(eve)),
  },
  {
    name: 'recover',
    laterMs: 600_000,
    prepare: async (staffetta) => {
      await needed(staffetta);
      await staffetta.begin(goal, { key: 'silent' });
      await staffetta.begin({ ...goal, caps: { attempts: 1 } }, { key: 'silent for the last time' });
      await staffetta.open(goal, { key: 'expires', expiresMs: 1000, to: 'agent:nobody' });
      // As a crash leaves it: done, and nobody was told.
      await record(staffetta.context, {
        task,
        call: { by: ada },
        request: null,
        prepare: () => ({ command: { type: 'complete', generation: 1, sealed: null } }),
      });
    },
    act: async ({ staffetta }) => await staffetta.recover(),
  },
  {
    name: 'sweep',
    laterMs: 600_000,
    prepare: async (staffetta) => {
      const old = await staffetta.begin(goal, { key: 'old' });
      await old.complete({ transcript: noise(5_000, 2) });
      const older = await staffetta.begin(goal, { key: 'older' });
      await older.complete({ transcript: noise(5_000, 3) });
      const kept = await staffetta.begin(goal, { key: 'task', leaseMs: limits.leaseMsMax });
      await kept.checkpoint({ transcript: noise(5_000, 4) });
      await staffetta.store.blobs.put(noise(5_000, 5), 0);
    },
    act: async ({ staffetta }) => await staffetta.sweep({ olderThanMs: 1_000, graceMs: limits.graceMsMin }),
    outside: async ({ staffetta }) => {
      const wrong: string[] = [];
      for (const name of ['old', 'older'])
        if ((await staffetta.store.journal.head(idOf(name))) !== undefined)
          wrong.push(`${name} is still there`);
      // Contract, packet, transcript and findings of the one that was kept.
      const blobs = await staffetta.store.blobs.list(undefined, 100);
      // With the public key that vouches for the checkpoint.
      return blobs.length === 5 ? wrong : [...wrong, `${blobs.length} blobs are left`];
    },
  },
  {
    name: 'backup',
    prepare: async (staffetta) => {
      await offered(staffetta);
      const leg = await staffetta.take({ task, as: bob });
      await leg?.checkpoint({ transcript: noise(5_000) });
    },
    act: async ({ staffetta, folder }) => {
      const to = inStore(folder, 'copy.db');
      // A backup never overwrites: a process that tries again finds it finished, or not there.
      if (!existsSync(to)) await staffetta.store.upkeep.backup?.(to);
    },
    outside: async ({ staffetta, folder }) => {
      const { clock } = staffetta.context;
      const copy = await openStaffetta({
        gate: 'record',
        store: await openSqliteStore(inStore(folder, 'copy.db')),
        clock,
      });
      try {
        const wrong = (await copy.verify()).faults.map((fault) => fault.text);
        const same = (await journalsOf(copy)).join('\n') === (await journalsOf(staffetta)).join('\n');
        if (!same) wrong.push('the copy differs from the original');
        const unfinished = readdirSync(dirname(inStore(folder))).filter((name) =>
          /partial-[0-9a-f-]+$/.test(name),
        );
        if (unfinished.length > 1) wrong.push(`left behind: ${unfinished.join(', ')}`);
        return wrong;
      } finally {
        await copy.close();
      }
    },
  },
];

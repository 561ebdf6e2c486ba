/** The verbs that look at a workspace or run commands in it. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Staffetta } from '../../src/library/staffetta.ts';
import { checkpoint, submit } from '../../src/handoff/verbs/finish.ts';
import { handoff } from '../../src/handoff/verbs/handoff.ts';
import { rollBackPhase, startPhase, verifyPhase } from '../../src/handoff/verbs/phase.ts';
import { validate } from '../../src/handoff/verbs/validate.ts';
import { ada, by, first, goal, noise, task, type Scenario } from './scenario.ts';

function git(folder: string, ...args: readonly string[]): void {
  const identity = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.org'];
  const dates = { GIT_AUTHOR_DATE: '2026-01-01T00:00:00Z', GIT_COMMITTER_DATE: '2026-01-01T00:00:00Z' };
  execFileSync('git', [...identity, ...args], {
    cwd: folder,
    env: { ...process.env, GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1', ...dates },
    stdio: 'pipe',
  });
}

/** A repository with one commit and a change since. */
function repository(folder: string): void {
  mkdirSync(folder, { recursive: true });
  git(folder, 'init', '-q', '-b', 'main');
  writeFileSync(join(folder, 'route.txt'), 'over the bridge\n');
  git(folder, 'add', '.');
  git(folder, 'commit', '-q', '-m', 'Begin.');
  writeFileSync(join(folder, 'route.txt'), 'through the ford\n');
  writeFileSync(join(folder, 'map.bin'), noise(700));
}

const saying = (what: string): { run: string[] } => ({
  run: [process.execPath, '-e', `console.log(${JSON.stringify(what)})`],
});

async function begun(staffetta: Staffetta): Promise<void> {
  const contract = {
    ...goal,
    validation: [saying('the ford is shallow'), saying('the dispatch is dry')],
    phases: [{ name: 'cross', verify: [saying('across')], rollback: [saying('back again')] }],
  };
  await staffetta.begin(contract, { key: 'task' });
}

async function phaseBegun(staffetta: Staffetta): Promise<void> {
  await begun(staffetta);
  await startPhase(staffetta.context, first, 'cross', { by: ada });
}

/** Packets name the folder, which is another one each time, and a run takes as long as it takes. */
function withoutPlaces(journals: readonly string[]): readonly string[] {
  return journals.map((line) =>
    line.replaceAll(/sha256:[0-9a-f]{64}/g, 'sha256').replaceAll(/"ms":\d+/g, '"ms"'),
  );
}

const common = { workspace: repository, prepare: begun, compare: withoutPlaces };
const claims = { summary: 'Through the ford.' };

export const workspaceScenarios: readonly Scenario[] = [
  {
    ...common,
    name: 'checkpoint in a workspace',
    act: async ({ staffetta: { context } }) => await checkpoint(context, first, { claims }, by(ada)),
  },
  {
    ...common,
    name: 'hand off in a workspace',
    act: async ({ staffetta: { context } }) =>
      await handoff(
        context,
        { task, generation: 1 },
        { to: 'agent:bob', claims, transcript: noise(900) },
        by(ada),
      ),
  },
  {
    ...common,
    name: 'submit in a workspace',
    act: async ({ staffetta: { context } }) => await submit(context, first, { claims }, by(ada)),
  },
  {
    ...common,
    name: 'validate',
    act: async ({ staffetta: { context } }) => await validate(context, task, { generation: 1 }, by(ada)),
  },
  {
    ...common,
    name: 'start a phase',
    act: async ({ staffetta: { context } }) => await startPhase(context, first, 'cross', by(ada)),
  },
  {
    ...common,
    name: 'verify a phase',
    prepare: phaseBegun,
    act: async ({ staffetta: { context } }) => await verifyPhase(context, first, { phase: 'cross' }, by(ada)),
  },
  {
    ...common,
    name: 'verify a phase that is not done',
    prepare: async (staffetta) => {
      const failing = { run: [process.execPath, '-e', 'process.exit(1)'] };
      await staffetta.begin({ ...goal, phases: [{ name: 'cross', verify: [failing] }] }, { key: 'task' });
      await startPhase(staffetta.context, first, 'cross', { by: ada });
    },
    act: async ({ staffetta: { context } }) => await verifyPhase(context, first, { phase: 'cross' }, by(ada)),
  },
  {
    ...common,
    name: 'roll a phase back',
    prepare: phaseBegun,
    act: async ({ staffetta: { context } }) =>
      await rollBackPhase(context, first, { phase: 'cross', why: 'The water rose.' }, by(ada)),
  },
];

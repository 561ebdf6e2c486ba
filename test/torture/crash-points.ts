/**
 * SIGKILL at every announced step of every verb. After each: reopen, verify, recover, verify, try again with the same key. The journals
 * must then be those of a run that nobody disturbed: nothing that was acknowledged is lost, nothing is there twice, nobody
 * else holds the task.
 */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import type { NamedStep } from '../../src/ports/step.ts';
import type { JournalMode } from '../../src/stores/sqlite/secure.ts';
import { inParallel, runChild } from '../crash/run-child.ts';
import type { Scenario } from '../crash/scenario.ts';
import { scenarios } from '../crash/scenarios.ts';
import {
  aftermathFaults,
  copyTemplate,
  journalsOf,
  makeTemplate,
  openStage,
  typesIn,
} from '../crash/stage.ts';
import { Tally, type Trial } from './trial.ts';

const child = join(import.meta.dirname, '../crash/child.ts');

export interface Rehearsed {
  readonly scenario: Scenario;
  readonly template: string;
  readonly reached: readonly NamedStep[];
  /** The journals of an undisturbed run. */
  readonly journals: readonly string[];
  /** The kinds of events in them, signatures among them: those differ from store to store. */
  readonly types: readonly string[];
}

/** The dry pass: which steps does each verb announce, and what do its journals look like when nothing happens to it? */
export async function rehearse(
  folder: string,
  played: readonly Scenario[] = scenarios,
  journal: JournalMode = 'log',
): Promise<Rehearsed[]> {
  const args: string[] = [];
  for (const [i, scenario] of played.entries()) {
    await makeTemplate(scenario, join(folder, `${i}`), journal);
    copyTemplate(join(folder, `${i}`), join(folder, `${i}-dry`));
    args.push(scenario.name, join(folder, `${i}-dry`));
  }
  const dry = await runChild(child, ['dry', ...args]);
  if (dry.code !== 0 || dry.stderr !== '')
    throw new Error(`the dry pass ended with ${dry.code}: ${dry.stderr}`);
  const lines = dry.stdout.trim().split('\n');
  const made: Rehearsed[] = [];
  for (const [i, scenario] of played.entries()) {
    const reached = JSON.parse(lines[i] ?? '[]') as NamedStep[];
    const inspected = await inspect(scenario, join(folder, `${i}-dry`));
    made.push({ scenario, template: join(folder, `${i}`), reached, ...inspected });
  }
  return made;
}

async function inspect(scenario: Scenario, at: string): Promise<Pick<Rehearsed, 'journals' | 'types'>> {
  const staffetta = await openStage(scenario, at);
  try {
    return { journals: await journalsOf(staffetta), types: await typesIn(staffetta) };
  } finally {
    await staffetta.close();
  }
}

/** A kill at each of these steps of one verb, counted from 1, and everything that must hold after it. Returns what does not. */
export async function killAtEach(rehearsed: Rehearsed, places: readonly number[]): Promise<string[]> {
  const faults: string[] = [];
  await inParallel(places, async (nth) => void faults.push(...(await killAt(rehearsed, nth))));
  return faults;
}

async function killAt({ scenario, template, reached, journals }: Rehearsed, nth: number): Promise<string[]> {
  const at = `${template}-kill-${nth}`;
  copyTemplate(template, at);
  try {
    const ended = await runChild(child, ['kill', scenario.name, at, `${nth}`]);
    const faults = ended.signal === 'SIGKILL' ? [] : [`the child ended with ${ended.code}: ${ended.stderr}`];
    const told = ended.stdout
      .split('\n')
      .filter(Boolean)
      .map((what) => what.split(' ').slice(-2).join(' '));
    faults.push(...(await aftermathFaults(scenario, at, { told, returned: false, undisturbed: journals })));
    return faults.map((fault) => `killed at ${nth} of ${reached.length} (${reached[nth - 1]}): ${fault}`);
  } finally {
    rmSync(at, { recursive: true, force: true });
  }
}

export const crashPoints: Trial = {
  name: 'A kill at every named step',
  promise: 'P1, P2: a crash anywhere leaves a state that can be verified, recovered and gone on from',
  how: 'The code announces each step of each verb. A process is killed with SIGKILL at every one of them, once on a store with a write-ahead log and once with a rollback journal; then the store is verified and recovered, and the verb is called again with the same key. The journals must be those of a run that nobody disturbed',
  share: 0,
  async run({ scratch }) {
    const tally = new Tally();
    const faults: string[] = [];
    const rehearsals = [
      ...(await rehearse(join(scratch, 'log'))),
      ...(await rehearse(join(scratch, 'rollback'), scenarios, 'rollback')),
    ];
    for (const rehearsed of rehearsals) {
      const places = rehearsed.reached.map((_step, i) => i + 1);
      const found = await killAtEach(rehearsed, places);
      faults.push(...found.map((fault) => `${rehearsed.scenario.name}: ${fault}`));
      tally.add('verbs in their situations');
      tally.add('processes killed', rehearsed.reached.length);
    }
    tally.add('named steps', new Set(rehearsals.flatMap(({ reached }) => reached)).size);
    return { total: tally.of('processes killed'), counts: tally.counts, faults };
  },
};

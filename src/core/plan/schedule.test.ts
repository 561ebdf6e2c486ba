import { describe, expect, test } from 'vitest';
import { chartOf } from './chart.ts';
import { strategies, type Crew, type CrewLimits, type Strategy } from './crew.ts';
import { waitWords } from './plan-wait.ts';
import type { PlanStanding, RunView } from './run-view.ts';
import { schedule } from './schedule.ts';
import { plannedTasks, type PlanPhase, type PlanTask } from './work-plan.ts';

const now = 1000;
const crew: Crew = {
  agents: {
    research: { lane: 'plan', runtime: ['claude-code'] },
    code: { lane: 'execute', runtime: ['claude-code', 'codex'], count: 2 },
    build: { lane: 'execute', runtime: ['opencode'], count: 2 },
    qa: { lane: 'audit', runtime: ['gemini-cli', 'codex'], not: 'author-runtime' },
  },
};

type Tasks = Readonly<Record<string, Partial<PlanTask>>>;
interface Given extends Partial<Omit<RunView, 'standings' | 'chart'>> {
  readonly phases?: readonly PlanPhase[];
  readonly standings?: Readonly<Record<string, PlanStanding>>;
}

function viewOf(tasks: Tasks, { standings = {}, phases = [], ...rest }: Given = {}): RunView {
  const entries = Object.entries(tasks).map(([name, task]) => [name, { goal: name, ...task }]);
  const by = rest.crew ?? crew;
  const named = plannedTasks(
    { goal: 'x', tasks: Object.fromEntries(entries) as Record<string, PlanTask> },
    by,
  );
  return { chart: chartOf(named, phases), crew: by, standings: new Map(Object.entries(standings)), ...rest };
}

/** `task by agent in program`, and then `task …` for what waits. */
function told(view: RunView, limits: CrewLimits = { parallel: 8 }): { starts: string[]; waits: string[] } {
  const { starts, waits } = schedule(view, limits, now);
  return {
    starts: starts.map(({ task, agent, runtime }) => `${task} by ${agent} in ${runtime}`),
    waits: waits().map(
      (wait) => `${wait.task} ${waitWords(wait)}${wait.until === null ? '' : ` @${wait.until}`}`,
    ),
  };
}

const done: PlanStanding = { at: 'done' };
const held: PlanStanding = { at: 'held', agent: 'code', lane: 'execute', runtime: 'claude-code' };

describe('a schedule', () => {
  test('starts what is ready: by priority, by the longest way that is left, as in the plan', () => {
    const tasks: Tasks = {
      short: {},
      long: {},
      mid: { needs: ['long'] },
      end: { needs: ['mid'] },
      urgent: { priority: 5 },
      slow: { estimate: 2 },
    };
    const { starts, waits } = told(viewOf(tasks));
    expect(starts).toEqual([
      'urgent by code in claude-code',
      'long by code in claude-code',
      'slow by build in opencode',
      'short by build in opencode',
    ]);
    expect(waits).toEqual(['mid waits for long', 'end waits for mid']);
  });

  test('counts a need as met when it is done, and not when it is approved', () => {
    const tasks: Tasks = { a: {}, b: { needs: ['a'] }, c: { needs: ['gone'] }, gone: {} };
    const standings: Given['standings'] = { a: { at: 'approved' }, gone: { at: 'cancelled' } };
    expect(told(viewOf(tasks, { standings }))).toEqual({
      starts: [],
      waits: [
        'a waits to be integrated',
        'b waits for a',
        'c waits in vain for gone: drop the need, or open it again',
      ],
    });
    expect(told(viewOf(tasks, { standings: { ...standings, a: done } })).starts).toEqual([
      'b by code in claude-code',
    ]);
  });

  test('has room for so many legs of an agent, a lane, a program and in all', () => {
    const five: Tasks = { a: {}, b: {}, c: {}, d: {}, e: {} };
    expect(told(viewOf(five)).waits).toEqual(['e waits for agent code']);
    expect(told(viewOf(five), { parallel: 2 }).waits.at(-1)).toBe('e waits for one of a and b to end');
    expect(told(viewOf(five), { parallel: 8, perLane: { execute: 1 } }).waits.at(-1)).toBe(
      'e waits for room in the lane execute',
    );
    const limited = told(viewOf(five), { parallel: 8, perRuntime: { 'claude-code': 1 } });
    expect(limited.starts).toHaveLength(3);
    expect(limited.waits.at(-1)).toBe('e waits for room in claude-code');
    const elsewhere = told(viewOf({ a: {} }, { standings: { removed: held } }), { parallel: 1 });
    expect(elsewhere.waits).toEqual(['a waits for one of removed to end']);
  });

  test('goes to the next program only while the account of the one before is exhausted', () => {
    const exhausted = new Map([['claude-code', 5000]]);
    const task: Tasks = { a: { agent: 'code' } };
    expect(told(viewOf(task, { exhausted })).starts).toEqual(['a by code in codex']);
    expect(told(viewOf(task, { exhausted: new Map([['claude-code', now]]) })).starts).toEqual([
      'a by code in claude-code',
    ]);
    // It stays where it was moved to.
    const moved: Given['standings'] = { a: { at: 'open', authors: ['code'], runtime: 'codex' } };
    expect(told(viewOf(task, { standings: moved })).starts).toEqual(['a by code in codex']);
    const accounts = { 'claude-code': 'team', codex: 'team' };
    expect(told(viewOf(task, { accounts, exhausted: new Map([['team', 5000]]) })).waits).toEqual([
      'a waits for the account team, which is exhausted @5000',
    ]);
  });

  test('starts an agent that is a command again only when its limit is over', () => {
    const own: Crew = { agents: { code: { lane: 'execute', command: ['agent'] } } };
    const view = (until: number): RunView =>
      viewOf({ a: {} }, { crew: own, exhausted: new Map([['code', until]]) });
    expect(told(view(5000))).toEqual({
      starts: [],
      waits: ['a waits for the account code, which is exhausted @5000'],
    });
    expect(told(view(now)).starts).toEqual(['a by code in null']);
  });

  test('keeps tasks apart that change the same files, from the first leg until it is done', () => {
    const tasks: Tasks = {
      a: { paths: ['src/**', 'package-lock.json'] },
      b: { paths: ['src/b.ts'] },
      c: { paths: ['test/**', 'package-lock.json'] },
    };
    const files = 'b waits for a to be done with the same files';
    const { starts, waits } = told(viewOf(tasks));
    expect(starts).toEqual(['a by code in claude-code', 'c by code in claude-code']);
    expect(waits).toEqual([files]);
    const looked: Given['standings'] = { a: { at: 'person', why: 'a question' }, c: done };
    expect(told(viewOf(tasks, { standings: looked })).waits).toEqual([
      'a waits for a person: a question',
      files,
    ]);
    // Two that both began do not wait for each other.
    const begun: PlanStanding = { at: 'open', authors: ['code'] };
    expect(told(viewOf(tasks, { standings: { a: begun, b: begun, c: done } })).starts).toHaveLength(1);
    // One that waits again for another does not keep it from its files.
    const amended: Tasks = { ...tasks, a: { ...tasks['a'], needs: ['b'] } };
    expect(told(viewOf(amended, { standings: { a: begun, c: done } })).starts).toEqual([
      'b by code in claude-code',
    ]);
  });

  test('gives a review to somebody else, in another program where they ask for it, along an edge', () => {
    const review: PlanStanding = {
      at: 'open',
      to: 'lane:audit',
      lane: 'audit',
      authors: ['code'],
      from: 'code',
    };
    const task: Tasks = { a: {} };
    const wrote = (runtime: string): Given => ({
      standings: { a: { ...review, authorRuntimes: [runtime] } },
    });
    expect(told(viewOf(task, wrote('gemini-cli'))).starts).toEqual(['a by qa in codex']);
    expect(told(viewOf(task, wrote('codex'))).starts).toEqual(['a by qa in gemini-cli']);
    const edges = [{ from: 'code', to: 'build' }];
    expect(told(viewOf(task, { ...wrote('codex'), crew: { ...crew, edges } })).waits).toEqual([
      'a waits for somebody who may work on it: qa wrote it, or no edge leads there',
    ]);
    const own: PlanStanding = { ...review, authors: ['qa'], from: 'code' };
    expect(told(viewOf(task, { standings: { a: own } })).starts).toEqual([]);
  });

  test('waits for the phases before, and for the person that one of them asks for', () => {
    const phases: PlanPhase[] = [{ name: 'look', human: true }, { name: 'apply' }];
    const tasks: Tasks = { b: { phase: 'apply' }, a: { phase: 'look' }, free: {} };
    expect(told(viewOf(tasks, { phases }))).toEqual({
      starts: ['a by code in claude-code', 'free by code in claude-code'],
      waits: ['b waits for the phase look'],
    });
    const after = { phases, standings: { a: done, free: done } };
    expect(told(viewOf(tasks, after)).waits).toEqual([
      'b waits for a person: the phase look has to be looked at',
    ]);
    expect(told(viewOf(tasks, { ...after, released: ['look'] })).starts).toHaveLength(1);
  });

  test('says of all that waits for a time, a pause and a program that is not there', () => {
    const later: Given['standings'] = { a: { at: 'open', notBefore: 2000 } };
    expect(told(viewOf({ a: {} }, { standings: later })).waits).toEqual(['a rests @2000']);
    expect(told(viewOf({ a: {} }, { paused: 'lunch' }))).toEqual({
      starts: [],
      waits: ['a waits while the run is paused: lunch'],
    });
    expect(told(viewOf({ a: { agent: 'code' } }, { installed: ['opencode'] })).waits).toEqual([
      'a waits for somebody who may work on it: claude-code and codex of code cannot be started',
    ]);
    expect(told(viewOf({ a: { lane: 'supervise' } })).waits).toEqual([
      'a waits for somebody who may work on it: the crew has nobody in the lane supervise',
    ]);
  });

  test('answers differently for each strategy', () => {
    const edges = [
      { from: 'research', to: 'code' },
      { from: 'code', to: 'qa' },
    ];
    const routes = [{ agent: 'build', path: ['web/**'] }, { agent: 'code' }];
    const tasks: Tasks = {
      first: {},
      web: { paths: ['web/**'], priority: 1 },
      second: { needs: ['first'] },
    };
    const by = (strategy: Strategy): string[] =>
      told(viewOf(tasks, { crew: { ...crew, edges, routes, strategy } })).starts;
    const answers = Object.fromEntries(strategies.map((strategy) => [strategy, by(strategy)]));
    expect(answers).toEqual({
      sequential: ['first by code in claude-code'],
      parallel: ['web by code in claude-code', 'first by code in claude-code'],
      handoff: ['web by research in claude-code'],
      router: ['web by build in opencode', 'first by code in claude-code'],
      'round-robin': ['web by code in claude-code', 'first by build in opencode'],
      manual: [],
    });
    expect(new Set(Object.values(answers).map(String)).size).toBe(strategies.length);
  });

  test('waits for the router where no rule holds, and for a rule where nobody can be asked', () => {
    const waits = [{}, { router: { agent: 'research' } }].map((more) => {
      const by = { ...crew, strategy: 'router' as const, routes: [], ...more };
      return schedule(viewOf({ first: {} }, { crew: by }), {}, 0).waitOf('first')?.on;
    });
    expect(waits).toEqual(['route', 'routing']);
  });

  test('one after the other means that the next starts when the one before is done', () => {
    const by = { ...crew, strategy: 'sequential' as const };
    const asks: PlanStanding = { at: 'person', why: 'a question' };
    expect(told(viewOf({ a: {}, b: { priority: 9 } }, { crew: by, standings: { a: asks } }))).toEqual({
      starts: [],
      waits: ['a waits for a person: a question', 'b waits for its turn after a'],
    });
    expect(told(viewOf({ a: { needs: ['b'] }, b: {} }, { crew: by })).starts).toEqual([
      'b by code in claude-code',
    ]);
  });

  test('a handoff goes along an edge, and by hand starts what a person asked for', () => {
    const edges = [
      { from: 'research', to: 'code' },
      { from: 'code', to: 'qa' },
    ];
    const handed: PlanStanding = { at: 'open', from: 'research', authors: ['research'] };
    const passing = { ...crew, edges, strategy: 'handoff' as const };
    expect(told(viewOf({ a: {} }, { crew: passing, standings: { a: handed } })).starts).toEqual([
      'a by code in claude-code',
    ]);
    const manual = { ...crew, strategy: 'manual' as const };
    const asked = new Map([['b', 'build']]);
    expect(told(viewOf({ a: {}, b: {} }, { crew: manual, asked }))).toEqual({
      starts: ['b by build in opencode'],
      waits: ['a waits for a person: nobody has said that it should start'],
    });
  });

  test('the agent with the fewest legs goes first in a round', () => {
    const by = { ...crew, strategy: 'round-robin' as const };
    expect(told(viewOf({ a: {}, b: {} }, { crew: by, turns: { code: 3, build: 1 } })).starts).toEqual([
      'a by build in opencode',
      'b by build in opencode',
    ]);
  });

  test('an offer to anyone or to a lane leaves the choice to the strategy, and a review to its lane', () => {
    const offered: PlanStanding = { at: 'open', to: 'anyone', lane: 'execute' };
    const review: PlanStanding = { at: 'open', to: 'lane:audit', lane: 'audit', authors: ['build'] };
    const own: PlanStanding = { at: 'open', to: 'runtime:opencode', lane: 'execute' };
    const tasks: Tasks = { a: {}, b: { agent: 'build' }, c: {} };
    const standings = { a: offered, b: review, c: own };
    const answers = (['router', 'round-robin'] as const).map((strategy) => {
      const by = { ...crew, strategy, routes: [{ agent: 'code' }] };
      return told(viewOf(tasks, { crew: by, standings, turns: { code: 1 } })).starts;
    });
    const rest = ['b by qa in gemini-cli', 'c by build in opencode'];
    expect(answers).toEqual([
      ['a by code in claude-code', ...rest],
      ['a by build in opencode', ...rest],
    ]);
  });
});

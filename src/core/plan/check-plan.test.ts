import { describe, expect, test } from 'vitest';
import type { Surroundings } from './check-crew.ts';
import { checkPlan } from './check-plan.ts';
import type { Crew, CrewAgent, PermissionName } from './crew.ts';
import type { PlanTask, WorkPlan } from './work-plan.ts';

const enforced = (_agent: CrewAgent, program: string): ReadonlySet<PermissionName> =>
  new Set<PermissionName>(program === 'codex' ? [] : ['network', 'outside']);

const inLane = ({ lane }: CrewAgent): ReadonlySet<PermissionName> =>
  new Set<PermissionName>(lane === 'plan' ? ['edit'] : []);

const crew: Crew = {
  agents: {
    research: { lane: 'plan', runtime: ['claude-code'] },
    code: { lane: 'execute', runtime: ['claude-code', 'codex'], count: 3 },
    qa: { lane: 'audit', runtime: ['gemini-cli'], not: 'author-runtime' },
  },
  edges: [
    { from: 'research', to: 'code' },
    { from: 'code', to: 'qa' },
    { from: 'qa', to: 'code' },
  ],
};

type Tasks = Readonly<Record<string, Partial<PlanTask>>>;

function plan(tasks: Tasks, rest: Partial<WorkPlan> = {}): WorkPlan {
  const entries = Object.entries(tasks).map(([name, task]) => [name, { goal: `${name} works`, ...task }]);
  return {
    goal: 'x',
    defaults: { acceptance: ['it works'] },
    tasks: Object.fromEntries(entries) as WorkPlan['tasks'],
    ...rest,
  };
}

function said(given: WorkPlan, by: Partial<Crew> = {}, here: Surroundings = {}): string[] {
  return checkPlan(given, { ...crew, ...by }, here).map(
    ({ severity, text, fix }) => `${severity}: ${text} ${fix}`,
  );
}

describe('a plan that is checked', () => {
  test('has nothing said against it where all is well', () => {
    const tasks: Tasks = {
      survey: { agent: 'research', paths: ['docs/**'] },
      limiter: { needs: ['survey'], paths: ['src/limit.ts'], review: { owner: 'lane:audit' } },
      wire: { needs: ['limiter'], paths: ['src/**'], review: { human: true } },
    };
    const installed = ['claude-code', 'codex', 'gemini-cli'];
    expect(said(plan(tasks), {}, { installed })).toEqual([]);
  });

  test('names cycles in their order and needs that lead nowhere, all at once', () => {
    const tasks: Tasks = {
      a: { needs: ['c'] },
      b: { needs: ['a'] },
      c: { needs: ['b'] },
      me: { needs: ['me'] },
      d: { needs: ['aa', 'elsewhere'] },
    };
    expect(said(plan(tasks))).toEqual([
      'error: Task a waits for itself: a needs c needs b needs a. Take one of these needs out, such as a of b.',
      'error: Task me needs itself. Take one of these needs out.',
      'error: Task d needs aa, which is not in the plan. Did you mean a?',
      'error: Task d needs elsewhere, which is not in the plan. Add a task elsewhere, or take it out of the needs of d.',
    ]);
  });

  test('names agents and lanes that nobody is', () => {
    const tasks: Tasks = { a: { agent: 'cod' }, b: { lane: 'supervise' }, c: { agent: 'qa', lane: 'plan' } };
    expect(said(plan(tasks))).toEqual([
      'error: Task a is for cod, who is not in the crew. Did you mean code?',
      'error: Task b is for the lane supervise, in which nobody works. Add an agent with lane: supervise, or name an agent for it.',
      'error: Task c is for the lane plan and for qa, who works in audit. Take the lane out, or name an agent of the lane plan.',
    ]);
  });

  test('names reviews that nobody can do', () => {
    const review = { owner: 'lane:audit' } as const;
    const { code, qa } = crew.agents as { code: Crew['agents'][string]; qa: Crew['agents'][string] };
    expect(said(plan({ a: { review } }), { agents: { code }, edges: [] })).toEqual([
      'error: Task a is to be reviewed by lane:audit, and nobody in the crew is. Add another agent with lane: audit, or let a person review it.',
    ]);
    expect(said(plan({ a: { agent: 'qa', review } }))).toEqual([
      'error: Task a is to be reviewed by lane:audit, and nobody else is than its author qa. Add another agent with lane: audit, or let a person review it.',
    ]);
    expect(said(plan({ a: { review } }), { edges: [{ from: 'qa', to: 'code' }] })).toEqual([
      'error: Task a is to be reviewed by lane:audit, and no edge leads there from code. Add an edge code -> qa.',
    ]);
    const same = { agents: { code, qa: { ...qa, runtime: ['codex'] } }, edges: [{ from: 'code', to: 'qa' }] };
    expect(said(plan({ a: { review } }), same)).toEqual([
      'warning: Task a is to be reviewed by lane:audit in another program than its author’s, and all of them work in codex as code does when the programs before it are exhausted. Give one of them another runtime than codex.',
    ]);
    expect(said(plan({ a: { review: { owner: 'agent:zoe' } } }))).toEqual([
      'error: Task a is to be reviewed by agent:zoe, and nobody in the crew is. Name a reviewer who is in the crew, a lane, or a person.',
    ]);
    expect(said(plan({ a: { review } }), { limits: { perLane: { audit: 0 } } })).toEqual([
      'error: Task a can never be reviewed: the lane audit is limited to 0. Give limits.perLane.audit at least 1.',
    ]);
  });

  test('names edges and rules that nobody stands at', () => {
    const edges = [
      { from: 'code', to: 'qq' },
      { from: 'qa', to: 'qa' },
    ];
    const routes = [{ agent: 'coder' }];
    expect(said(plan({ a: {} }), { edges, group: 'any', routes })).toEqual([
      'error: The crew has edges and is a group in which everybody hands on to everybody. Keep one of the two.',
      'error: The edge code -> qq names qq, who is not in the crew. Did you mean qa?',
      'error: The edge qa -> qa hands work on to the one who has it. Take it out.',
      'error: Rule 1 of the routes names coder, who is not in the crew. Did you mean code?',
    ]);
    expect(said(plan({ a: {} }), { strategy: 'router' })).toEqual([
      'error: The strategy is router, and there is neither a rule nor a router by which to choose an agent. Add routes or a router, or use another strategy.',
    ]);
    const byPath: Partial<Crew> = { strategy: 'router', routes: [{ agent: 'code', path: ['src/**'] }] };
    expect(said(plan({ a: {}, b: { paths: ['src/b.ts'] } }), byPath)).toEqual([
      'error: Task a is for no agent: rule 1 asks for path src/**. Name an agent for it, or end the routes with a rule that has no condition.',
    ]);
  });

  test('names tasks that may run at the same time and change the same files', () => {
    const tasks: Tasks = {
      a: { paths: ['src/**', 'package-lock.json'] },
      b: { needs: ['a'], paths: ['src/b.ts'] },
      c: { paths: ['src/b.ts', 'package-lock.json'] },
      d: { paths: ['test/**', 'package-lock.json'] },
      e: { paths: ['src/b.ts'], agent: 'qa' },
    };
    expect(said(plan(tasks))).toEqual([
      'warning: Tasks a and c change the same files (and 1 other task): src/b.ts and src/**. They will not run at the same time. Let one need the other, or give each paths of its own.',
    ]);
    const phases = [{ name: 'one' }, { name: 'two' }];
    const apart: Tasks = { a: { paths: ['x'], phase: 'one' }, b: { paths: ['x'], phase: 'two' } };
    expect(said(plan(apart, { phases }))).toEqual([]);
  });

  test('names phases that are unknown, or needed before their time', () => {
    const phases = [{ name: 'look' }, { name: 'apply' }, { name: 'look' }];
    const tasks: Tasks = { a: { phase: 'aply' }, b: { phase: 'look', needs: ['c'] }, c: { phase: 'apply' } };
    expect(said(plan(tasks, { phases: phases.slice(0, 2) }))).toEqual([
      'error: Task a is of phase aply, which the plan does not have. Did you mean apply?',
      'error: Task b of phase look needs c, which is of a later phase: neither would start. Move c into phase look, or b into the later one.',
    ]);
    expect(said(plan({ a: {} }, { phases }))).toEqual([
      'error: Phase look is named twice. Name each phase once.',
    ]);
  });

  test('is held to the rules of the gate for contracts', () => {
    expect(said(plan({ a: {} }, { defaults: {} }))).toEqual([
      'error: Task a: Nothing says how to tell that it is done. Give a criterion, a command that proves it, or let a person look at it.',
    ]);
    expect(said(plan({ a: {} }), {}, { strict: true }).map((text) => text.slice(0, 40))).toEqual([
      'error: Task a: Nobody has said what is n',
      'error: Task a: No command proves the res',
      'error: Task a: Nobody is named to approv',
    ]);
    expect(said(plan({ a: { caps: { attempts: 2 }, retry: { times: 1 } } }))).toEqual([
      'error: Task a says twice how often it is tried: retry.times and caps.attempts. Keep one of the two.',
    ]);
  });

  test('names programs that are not installed: an error where none of an agent’s is', () => {
    expect(said(plan({ a: {} }), {}, { installed: ['codex', 'gemini-cli'] })).toEqual([
      'error: Agent research works in claude-code, which is not installed. Install it, or name a program that is installed (codex, gemini-cli).',
      'warning: Agent code works in claude-code, which is not installed. Install it, or name a program that is installed (codex, gemini-cli).',
    ]);
    const nothing = said(plan({ a: {} }), {}, { installed: [] });
    expect(nothing.at(-1)).toBe('error: Agent qa works in gemini-cli, which is not installed. Install it.');
    const agents: Crew['agents'] = {
      code: { lane: 'execute' },
      other: { lane: 'plan', command: ['x'], runtime: ['codex'] },
    };
    expect(said(plan({ a: {} }), { agents, edges: [] })).toEqual([
      'error: Agent code has neither a runtime nor a command. Give it a runtime, or a command.',
      'error: Agent other has more than one way to be started. Give it a runtime, or a command.',
    ]);
    const { other: _other, ...functions } = agents;
    expect(said(plan({ a: {} }), { agents: functions, edges: [] }, { functions: ['code'] })).toEqual([]);
  });

  test('holds who plans to what holds for changes, where a task of the lane names paths', () => {
    const permissions = { edit: 'ask' } as const;
    const agents: Crew['agents'] = { boss: { lane: 'plan', runtime: ['codex'] } };
    const saidOf = (paths?: string[]): string[] =>
      said(
        plan({ a: { lane: 'plan', ...(paths && { paths }) } }),
        { agents, edges: [], permissions },
        { enforced: inLane },
      );
    expect(saidOf()).toEqual([]);
    expect(saidOf(['docs/**'])).toEqual([expect.stringContaining('Agent boss is told edit: ask')]);
  });

  test('names permissions that nothing enforces: a prohibition is an error', () => {
    const permissions = { read: 'allow', network: 'ask', outside: 'deny' } as const;
    expect(said(plan({ a: {} }), { permissions }, { enforced })).toEqual([
      'warning: Agent code is told network: ask, and nothing holds codex to it. Say network: allow for it, or let it work in a program that is held to it.',
      'error: Agent code is told outside: deny, and nothing holds codex to it. Say outside: allow for it, or let it work in a program that is held to it.',
    ]);
  });

  test('names what limits keep from ever starting', () => {
    const tasks: Tasks = { a: {}, b: { agent: 'research' } };
    expect(said(plan(tasks), { limits: { perRuntime: { 'claude-code': 0 } } })).toEqual([
      'error: Task b can never start: claude-code, in which research works, is limited to 0. Give limits.perRuntime.claude-code at least 1.',
    ]);
    const agents = { ...crew.agents, code: { lane: 'execute', runtime: ['codex'], count: 0 } } as const;
    expect(said(plan({ a: {} }), { agents: agents as unknown as Crew['agents'] })).toEqual([
      'error: Task a can never start: agent code has count: 0. Give code a count of at least 1.',
    ]);
  });
});

import { describe, expect, test } from 'vitest';
import { readCrew, readPlan } from './read-plan.ts';
import { plannedContract, plannedTasks } from './work-plan.ts';

function said(readout: ReturnType<typeof readPlan> | ReturnType<typeof readCrew>): string[] {
  return 'findings' in readout ? readout.findings.map(({ text, fix }) => `${text} ${fix}`) : [];
}

describe('a plan', () => {
  test('tells all that is wrong with its form at once, each with a way to mend it', () => {
    const tasks = { survey: { goal: 'x', nedds: ['a'] }, '1st': { goal: 'x' }, wire: { lane: 'exec' } };
    expect(said(readPlan({ goal: 3, tasks, default: {} }))).toEqual([
      'goal: expected a text. Give a text.',
      'tasks.survey.nedds: there is no such field. Did you mean needs?',
      'tasks.1st: expected 1–64 letters, digits or . _ -, starting with a letter. Give 1–64 letters, digits or . _ -, starting with a letter.',
      'tasks.wire.lane: expected one of plan, execute, audit, supervise. Give one of plan, execute, audit, supervise.',
      'tasks.wire.goal: expected a text. Give a text.',
      'default: there is no such field. Did you mean defaults?',
    ]);
  });

  test('knows the fields of what lies deep in it', () => {
    const review = { owner: 'lane:audit', polcy: {} };
    expect(said(readPlan({ goal: 'x', tasks: { a: { goal: 'x', review } } }))).toEqual([
      'tasks.a.review.polcy: there is no such field. Did you mean policy?',
    ]);
    const validation = [{ run: ['x'], timeout_ms: 3 }];
    expect(said(readPlan({ goal: 'x', tasks: { a: { goal: 'x', validation } } }))).toEqual([
      'tasks.a.validation[0].timeout_ms: there is no such field. Did you mean timeoutMs?',
    ]);
  });

  test('is refused as a text, a list and without tasks', () => {
    expect(said(readPlan('x'))).toEqual(['The file: expected an object. Give an object.']);
    expect(said(readPlan([]))).toEqual(['The file: expected an object. Give an object.']);
    expect(said(readPlan({ goal: 'x', tasks: {} }))).toEqual([
      'tasks: expected at least one task. Give at least one task.',
    ]);
  });

  test('has tasks in the order in which they are written, with what the defaults say', () => {
    const readout = readPlan({
      goal: 'x',
      defaults: { acceptance: ['it works'], lane: 'plan', retry: { times: 2 } },
      tasks: { b: { goal: 'b' }, a: { goal: 'a', acceptance: ['a works'], needs: ['b'], agent: 'qa' } },
    });
    const crew = { agents: { qa: { lane: 'audit' as const } } };
    const tasks = 'value' in readout ? plannedTasks(readout.value, crew) : [];
    expect(tasks.map(({ name, lane, acceptance }) => [name, lane, acceptance])).toEqual([
      ['b', 'plan', ['it works']],
      ['a', 'audit', ['a works']],
    ]);
    expect(tasks.map(plannedContract)).toEqual([
      // Who plans changes nothing.
      { v: 1, title: 'b', goal: 'b', acceptance: ['it works'], caps: { attempts: 3 }, paths: [] },
      { v: 1, title: 'a', goal: 'a', acceptance: ['a works'], caps: { attempts: 3 } },
    ]);
  });
});

describe('a crew', () => {
  test('names the fields of an agent and of a rule that it does not know', () => {
    const agents = { qa: { lane: 'audit', runtimes: ['codex'] } };
    expect(said(readCrew({ agents, routes: [{ agent: 'qa', lable: ['x'] }], startegy: 'router' }))).toEqual([
      'agents.qa.runtimes: there is no such field. Did you mean runtime?',
      'routes[0].lable: there is no such field. Did you mean label?',
      'startegy: there is no such field. Did you mean strategy?',
    ]);
  });
});

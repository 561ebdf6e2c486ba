import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { checkPlan } from '../../core/plan/check-plan.ts';
import { readCrewFile, readPlanFile, type PlacedFinding } from './plan-file.ts';

const folder = mkdtempSync(join(tmpdir(), 'plan-file-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function fileOf(name: string, lines: readonly string[]): string {
  const file = join(folder, name);
  writeFileSync(file, `${lines.join('\n')}\n`);
  return file;
}

function said(findings: readonly PlacedFinding[]): string[] {
  return findings.map(({ line, text, fix }) => `${line}: ${text} ${fix}`);
}

const task = ['goal: x', 'tasks:', '  a:', '    goal: a works'];

describe('a plan in a file', () => {
  test('is spelled out from what people write', async () => {
    const file = fileOf('short.yaml', [
      '$schema: plan-file.json',
      'goal: Rate limits',
      'setup: [npm ci]',
      'phases: [look, { name: apply, human: true }]',
      'defaults: { validation: [npm test], review: "lane:audit", nonGoals: none }',
      'tasks:',
      '  a: { goal: a, needs: b, paths: docs/**, retry: 2, budget: { time: 2h, tokens: 1.5M, cost: 25 USD } }',
      '  b: { goal: b, retry: { times: 1, after: 30s }, review: human }',
      'crew: { agents: { code: { lane: execute, runtime: codex } } }',
    ]);
    expect((await readPlanFile(file)).value).toEqual({
      goal: 'Rate limits',
      setup: [{ run: ['npm', 'ci'] }],
      phases: [{ name: 'look' }, { name: 'apply', human: true }],
      defaults: {
        validation: [{ run: ['npm', 'test'] }],
        review: { owner: 'lane:audit' },
        nonGoals: ['none'],
      },
      tasks: {
        a: {
          goal: 'a',
          needs: ['b'],
          paths: ['docs/**'],
          retry: { times: 2 },
          budget: { ms: 7_200_000, tokens: 1_500_000, cost: { amount: 25, unit: 'USD' } },
        },
        b: { goal: 'b', retry: { times: 1, afterMs: 30_000 }, review: { human: true } },
      },
      crew: { agents: { code: { lane: 'execute', runtime: ['codex'] } } },
    });
  });

  test('names the line of each field that is wrong, once', async () => {
    const file = fileOf('wrong.yaml', [
      ...task,
      '    budget:',
      '      time: 90',
      '    validation:',
      '      - npm test | tee log',
      '  b:',
      '    goal: b works',
      '    neds: a',
    ]);
    const { value, findings } = await readPlanFile(file);
    expect(value).toBeUndefined();
    expect(said(findings)).toEqual([
      '6: tasks.a.budget.time: value takes a time such as 90s, 15m, 2h or 30d, not "90". Did you mean 90s? Write it otherwise.',
      '7: tasks.a.validation: "npm test | tee log" has |, which only a shell understands. Give it with --validate-shell, or as an object with shell: true in a contract file.',
      '11: tasks.b.neds: there is no such field. Did you mean needs?',
    ]);
  });

  test('names the line in JSON too, and of what a plan means', async () => {
    const plan = { goal: 'x', tasks: { a: { goal: 'a', acceptance: ['it works'], needs: ['bb'] } } };
    const file = fileOf('plan.json', [JSON.stringify(plan, null, 2)]);
    const read = await readPlanFile(file);
    const crew = { agents: { code: { lane: 'execute' as const, runtime: ['codex'] } } };
    const findings = read.value === undefined ? [] : checkPlan(read.value, crew);
    expect(said(await read.place(findings))).toEqual([
      '9: Task a needs bb, which is not in the plan. Add a task bb, or take it out of the needs of a.',
    ]);
  });

  test.each([
    ['alias.yaml', ['goal: &g x', 'tasks: { a: { goal: *g } }'], /is not YAML: .*lias/],
    ['twice.json', ['{ "goal": "x", "goal": "y" }'], /names the field goal twice/],
    ['twice.yaml', ['goal: x', 'goal: y'], /is not YAML: .* at line 2/],
    ['plan.toml', ['goal = "x"'], /is no plan: its name ends in \.toml/],
  ])('is refused as a whole where it cannot be read: %s', async (name, lines, words) => {
    await expect(readPlanFile(fileOf(name, lines))).rejects.toThrow(words);
  });
});

describe('a crew in a file', () => {
  test('is spelled out with its edges, limits and routes', async () => {
    const file = fileOf('crew.yaml', [
      'agents:',
      '  code: { lane: execute, runtime: [claude-code, codex], count: 3, limits: { leg: 1h } }',
      '  lint: { lane: audit, command: ./bin/check --all }',
      'edges: [code -> lint -> code]',
      'limits: { parallel: 4, perRuntime: { codex: 1 }, leg: 2h, stall: 10m, legs: 12, tokens: 20M, cost: 25 USD }',
      'routes: [{ agent: code, path: src/**, label: [bug, page] }]',
      'strategy: router',
    ]);
    expect((await readCrewFile(file)).value).toEqual({
      agents: {
        code: {
          lane: 'execute',
          runtime: ['claude-code', 'codex'],
          count: 3,
          limits: { legMs: 3_600_000 },
        },
        lint: { lane: 'audit', command: ['./bin/check', '--all'] },
      },
      edges: [
        { from: 'code', to: 'lint' },
        { from: 'lint', to: 'code' },
      ],
      limits: {
        parallel: 4,
        perRuntime: { codex: 1 },
        legMs: 7_200_000,
        stallMs: 600_000,
        legs: 12,
        tokens: 20_000_000,
        cost: { amount: 25, unit: 'USD' },
      },
      routes: [{ agent: 'code', path: ['src/**'], label: ['bug', 'page'] }],
      strategy: 'router',
    });
  });

  test('names the line of what it does not know', async () => {
    const lines = ['agents:', '  code:', '    lane: execute', '    runtimes: codex', 'edges: [code]'];
    const { findings } = await readCrewFile(fileOf('wrong-crew.yaml', [...lines, 'limits: { cost: 25 }']));
    expect(said(findings)).toEqual([
      '4: agents.code.runtimes: there is no such field. Did you mean runtime?',
      '5: edges[0]: expected an object. Give an object.',
      '6: limits.cost: expected an object. Give an object.',
    ]);
  });
});

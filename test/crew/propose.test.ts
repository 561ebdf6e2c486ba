/** A plan that an agent proposes: looked at, sent back once, written down, and run by nobody but a person. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { newFolder, newWorkplace, node, staffetta } from '../cli/command.ts';
import { hasTerminal, typed } from '../cli/terminal.ts';
import { sandboxed } from '../support/sandboxed.ts';

/** Names a need that is not there, until it is told so as often as `told` says. */
function planner(told: number): readonly string[] {
  const code = `let turns = 0;
require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
  if (JSON.parse(line).type !== 'turn') return;
  const need = turns++ < ${told} ? 'nothing' : 'one';
  const plan = 'goal: Two\\ntasks:\\n  one: { goal: one, acceptance: [it is] }\\n  two: { goal: two, acceptance: [it is], needs: ' + need + ' }\\n';
  for (const text of ['So:\\n\`\`\`yaml\\n', plan, '\`\`\`\\n']) console.log(JSON.stringify({ type: 'said', text }));
  console.log(JSON.stringify({ type: 'over' }));
});`;
  return [node, '-e', code];
}

interface Proposing {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly crewOf: (told: number) => string;
}

function proposing(): Proposing {
  const cwd = newWorkplace();
  const home = newFolder();
  const env = {
    ...sandboxed,
    HOME: home,
    PATH: '/usr/bin:/bin',
    LANG: 'C.UTF-8',
    XDG_DATA_HOME: join(home, 'data'),
  };
  const code = { lane: 'execute', command: [node, join(import.meta.dirname, 'agent.mjs')] };
  const crewOf = (told: number): string => {
    const file = join(home, `crew-${told}.json`);
    writeFileSync(file, JSON.stringify({ agents: { boss: { lane: 'plan', command: planner(told) }, code } }));
    return file;
  };
  return { cwd, env, crewOf };
}

test('a proposal with errors goes back to its writer once, and is then shown as it is', async () => {
  const { cwd, env, crewOf } = proposing();
  const mended = await staffetta(['plan', 'Two of them', '--crew', crewOf(1)], { cwd, env });
  expect(mended.stderr).toContain('It goes back to boss: 1 error.');
  expect(mended.stdout).toContain('plan.yaml: 2 tasks, no faults.');
  expect(mended.status).toBe(0);
  expect(readFileSync(join(cwd, 'plan.yaml'), 'utf8')).toContain('needs: one');
  const again = await staffetta(['plan', 'Two of them', '--crew', crewOf(1)], { cwd, env });
  expect(again.stderr).toContain('plan.yaml is there already.');
  const wrong = await staffetta(['plan', 'Two of them', '--crew', crewOf(9), '--out', 'b.yaml'], {
    cwd,
    env,
  });
  expect(wrong.stdout).toContain('Task two needs nothing, which is not in the plan.');
  expect(wrong.stderr).toContain('Mend it, and run it: staffetta run b.yaml --crew');
  expect(wrong.status).toBe(6);
  expect(existsSync(join(cwd, 'b.yaml'))).toBe(true);
  const { lines } = await staffetta(['ls', '--all', '--json'], { cwd, env });
  expect(lines).toMatchObject([{ tasks: [] }]);
});

test('a planner that ends, says nothing or changes files is named, and leaves no plan that is none', async () => {
  const { cwd, env } = proposing();
  const proposedBy = async (turn: string): Promise<string> => {
    const code = `require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
  if (JSON.parse(line).type !== 'turn') return;
  ${turn}
  console.log('{"type":"over"}');
});`;
    const crew = join(env['HOME'] ?? '', 'crew.json');
    writeFileSync(crew, JSON.stringify({ agents: { boss: { lane: 'plan', command: [node, '-e', code] } } }));
    return (await staffetta(['plan', 'Two of them', '--crew', crew], { cwd, env })).stderr;
  };
  expect(await proposedBy('process.exit(3);')).toContain('boss ended without an answer, with exit code 3.');
  const silent = await proposedBy("require('node:fs').writeFileSync('sneaked.txt', '');");
  expect(silent).toContain('Nothing was said that could be a plan.');
  expect(silent).toContain('boss was only to look, and left something in its own tree (sneaked.txt).');
  expect(existsSync(join(cwd, 'sneaked.txt'))).toBe(false);
  expect(existsSync(join(cwd, 'plan.yaml'))).toBe(false);
});

test.runIf(hasTerminal)(
  'at a terminal it is shown what it would change in a run, and run after a yes',
  async () => {
    const { cwd, env, crewOf } = proposing();
    const code = { lane: 'execute', command: [node, '-e', '0'] };
    const task = { goal: 'old', acceptance: ['it is'] };
    const before = {
      goal: 'Before',
      tasks: { one: task, old: task },
      crew: { strategy: 'manual', agents: { code } },
    };
    const file = join(env['HOME'] ?? '', 'pair.json');
    writeFileSync(file, JSON.stringify(before));
    await staffetta(['run', file, '--until-idle'], { cwd, env });
    const propose = async (answer: string): Promise<string> => {
      const out = `${answer}.yaml`;
      const args = ['plan', 'Two of them', '--crew', crewOf(0), '--out', out, '--name', 'pair', '--run'];
      return (await typed(cwd, args, [[`Run ${out} now?`, `${answer}\r`]], env)).text;
    };
    const no = await propose('no');
    for (const words of ['open two', 'amend one: ', 'cancel old']) expect(no).toContain(words);
    expect(no).not.toContain('is worked on');
    expect(await propose('yes')).toContain('The run pair is done: 2 tasks.');
  },
);

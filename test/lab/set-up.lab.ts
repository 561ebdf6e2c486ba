/**
 * What `init` writes, in the programs themselves: the tools of our server are called without being asked for, a hook whose Node is gone since
 * disturbs nobody, and what Codex does to its own settings afterwards is neither lost nor in the way.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { runtimeNames, type RuntimeName } from '../../src/ports/runtime.ts';
import { agents } from './agents/all.ts';
import { answerHere, commandHere, toldOf, withPluginTypes } from './hooked.ts';
import { failure, programs, proves } from './lab.ts';
import { Machine } from './machine.ts';
import { FakeModel } from './model/fake-model.ts';
import { asked, start } from './running.ts';

const tools: Readonly<Record<RuntimeName, { readonly tool: string; readonly namespace?: string }>> = {
  'claude-code': { tool: 'mcp__staffetta__status' },
  cline: { tool: 'staffetta__status' },
  codex: { tool: 'status', namespace: 'mcp__staffetta' },
  'copilot-cli': { tool: 'staffetta-status' },
  'gemini-cli': { tool: 'mcp_staffetta_status' },
  opencode: { tool: 'staffetta_status' },
  'qwen-code': { tool: 'mcp__staffetta__status' },
};

/** As somebody starts it who has not given leave for everything. */
async function askPlainly(name: RuntimeName, machine: Machine, prompt: string): Promise<void> {
  const { ask, title } = agents[name];
  const args = ask.filter((word) => !['--yolo', '--dangerously-skip-permissions'].includes(word));
  const order = { ...asked(agents[name], args), stdin: prompt, cwd: machine.work, env: machine.env };
  const ended = await start(order).ended;
  if (ended.status !== 0) throw new Error(failure(title, ended));
}

describe.concurrent('after init', () => {
  for (const name of runtimeNames) {
    test(`${name} calls our tools without leave for everything else`, async (context) => {
      proves(context, { kind: 'tools allowed', from: name });
      await using model = await FakeModel.start(
        { text: 'I look.', call: { ...tools[name], args: {} } },
        { text: 'Done.' },
      );
      using machine = Machine.create(programs, model.origin);
      withPluginTypes(machine);
      await answerHere(machine, 'init', '--yes', '--runtime', name);
      await answerHere(machine, 'open', 'a goal that only the tool tells', '--as', 'ada', '--lane', 'plan');
      await askPlainly(name, machine, 'What is there?');
      const results = (model.told.at(-1) ?? []).flatMap((said) => (said.by === 'result' ? [said.text] : []));
      expect(results).toHaveLength(1);
      expect(results[0]).toMatch(/\bt[0-9a-hjkmnp-tv-z]{12}\b|task/i);
      expect(results[0]).not.toMatch(/not found|permission/i);
    });
  }

  test('a hook whose Node is gone since does not block Gemini CLI', async (context) => {
    proves(context, { kind: 'undisturbed', from: 'gemini-cli' });
    await using model = await FakeModel.start({ text: 'I am here.' });
    using machine = Machine.create(programs, model.origin);
    await answerHere(machine, 'init', '--yes', '--runtime', 'gemini-cli');
    const settings = join(machine.home, '.gemini/settings.json');
    writeFileSync(settings, readFileSync(settings, 'utf8').replaceAll(process.execPath, '/gone/node'));
    await askPlainly('gemini-cli', machine, 'Are you there?');
    expect(toldOf(model, 'Are you there?')).toEqual([true]);
  });

  test('what Codex writes into its settings stays, and it starts with them', async (context) => {
    proves(context, { kind: 'undisturbed', from: 'codex' });
    await using model = await FakeModel.start({ text: 'Nothing.' });
    using machine = Machine.create(programs, model.origin);
    const codex = (...args: readonly string[]): string =>
      execFileSync('codex', args, { cwd: machine.work, env: { ...machine.env }, encoding: 'utf8' });
    const config = join(machine.home, '.codex/config.toml');
    await answerHere(machine, 'init', '--yes', '--runtime', 'codex');
    codex('features', 'enable', 'unified_exec');
    // Drops the comment that is our opening mark.
    codex('mcp', 'add', 'other', '--', 'other-command');
    const written = readFileSync(config, 'utf8');
    expect((await commandHere(machine, 'init', '--runtime', 'codex')).stdout).toContain(
      'everything is set up already',
    );
    expect(readFileSync(config, 'utf8')).toBe(written);
    expect(codex('mcp', 'list')).toMatch(/staffetta/);
    await answerHere(machine, 'uninstall', '--yes');
    expect(readFileSync(config, 'utf8')).not.toContain('staffetta');
    expect(codex('mcp', 'list')).toMatch(/other-command/);
    expect(readFileSync(config, 'utf8')).toContain('unified_exec = true');
  });
});

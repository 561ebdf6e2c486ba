/** The links from each program to us, whole and cut. */
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { Desk, own, put, wrong } from '../../../../test/support/doctor-desk.ts';
import { runtimeNames } from '../../../ports/runtime.ts';

describe.concurrent.each(runtimeNames)('the links of %s', (name) => {
  test('are sound once it is set up, and not set up before', async () => {
    const desk = new Desk();
    expect(await desk.look(name)).toMatchObject({
      [`${name}-hooks`]: { status: 'untried', text: 'not set up' },
      [`${name}-mcp`]: { status: 'untried', text: 'not set up' },
    });
    desk.setUp(name);
    expect(await desk.look(name)).toMatchObject({
      [`${name}-hooks`]: { status: 'ok' },
      [`${name}-mcp`]: { status: 'ok', text: expect.stringContaining('staffetta 9, 1 tool') as unknown },
    });
  });

  test('lack a server that the program is not told of, or that is not there', async () => {
    const desk = new Desk();
    desk.setUp(name);
    const path = {
      'claude-code': '.claude.json',
      cline: '.cline/data/settings/cline_mcp_settings.json',
      codex: '.codex/config.toml',
      'copilot-cli': '.copilot/mcp-config.json',
      'gemini-cli': '.gemini/settings.json',
      opencode: '.config/opencode/opencode.json',
      'qwen-code': '.qwen/settings.json',
    }[name];
    desk.edit(path, (text) => text.replaceAll(own.command, '/nowhere/staffetta.cjs'));
    expect((await desk.look(name))[`${name}-mcp`]).toMatchObject(
      wrong('/nowhere/staffetta.cjs mcp does not answer'),
    );
    desk.edit(path, (text) =>
      text.replace('[mcp_servers.staffetta]', '[mcp_servers.other]').replace('"staffetta": {', '"other": {'),
    );
    expect((await desk.look(name))[`${name}-mcp`]).toMatchObject(wrong('not told of the MCP server'));
  });
});

describe.concurrent('hooks', () => {
  test('that call another program are found by calling them', async () => {
    const desk = new Desk();
    desk.setUp('claude-code');
    const settings = '.claude/settings.json';
    desk.edit(settings, (text) =>
      text.replaceAll(`&& ${own.node} `, '&& /bin/true ').replaceAll('|| true', ''),
    );
    expect((await desk.look('claude-code'))['claude-code-hooks']).toMatchObject(wrong('is not our hook'));
    desk.edit(settings, (text) => text.replaceAll('/bin/true', '/bin/false'));
    expect((await desk.look('claude-code'))['claude-code-hooks']).toMatchObject(wrong('ended with 1'));
  });

  test('that are switched off in the settings that a repository shares are named', async () => {
    const desk = new Desk();
    desk.setUp('claude-code');
    const shared = join(desk.root, '.claude/settings.json');
    put(shared, '{"disableAllHooks": true}');
    expect((await desk.look('claude-code'))['claude-code-hooks']).toMatchObject(
      wrong(`switched off by disableAllHooks = true in ${shared}`),
    );
  });

  test('of which one is a file for itself are all there, or the one that is not is named', async () => {
    const desk = new Desk();
    desk.setUp('cline');
    expect((await desk.look('cline'))['cline-hooks']).toMatchObject({
      text: expect.stringMatching(/^5 events in /) as unknown,
    });
    rmSync(join(desk.home, '.cline/hooks/PostToolUse.sh'));
    expect((await desk.look('cline'))['cline-hooks']).toMatchObject(wrong('hooks lacks PostToolUse.sh'));
  });

  test('that are switched off by the environment are named', async () => {
    const desk = new Desk();
    desk.setUp('gemini-cli');
    expect((await desk.look('gemini-cli', { STAFFETTA_HOOKS: 'off' }))['gemini-cli-hooks']).toMatchObject(
      wrong('STAFFETTA_HOOKS=off'),
    );
  });

  test('of a file that makes no sense are not called sound, and the file is named', async () => {
    const desk = new Desk();
    desk.setUp('codex');
    desk.edit('.codex/config.toml', (text) => `${text}[[[\n`);
    expect((await desk.look('codex'))['codex-hooks']).toMatchObject(
      wrong(join(desk.home, '.codex/config.toml')),
    );
    const other = new Desk();
    other.setUp('gemini-cli');
    put(join(other.root, '.gemini/settings.json'), '{ oops');
    expect((await other.look('gemini-cli'))['gemini-cli-hooks']).toMatchObject(
      wrong(join(other.root, '.gemini/settings.json')),
    );
  });

  test('of a repository that Codex does not trust are not read', async () => {
    const desk = new Desk();
    desk.setUp('codex', 'project');
    expect((await desk.look('codex'))['codex-hooks']).toMatchObject(wrong('does not trust the folder'));
    desk.edit(
      '.codex/config.toml',
      (text) => `${text}[projects.${JSON.stringify(desk.root)}]\ntrust_level = "trusted"\n`,
    );
    expect((await desk.look('codex'))['codex-hooks']).toMatchObject({ status: 'ok' });
  });
});

describe.concurrent('a server', () => {
  test('in .mcp.json is not started before it is approved, in a folder that is trusted', async () => {
    const desk = new Desk();
    desk.setUp('claude-code', 'project');
    const state = join(desk.home, '.claude.json');
    expect((await desk.look('claude-code'))['claude-code-mcp']).toMatchObject(
      wrong('does not trust the folder'),
    );
    put(state, JSON.stringify({ projects: { [desk.root]: { hasTrustDialogAccepted: true } } }));
    expect((await desk.look('claude-code'))['claude-code-mcp']).toMatchObject({ status: 'ok' });
    put(join(desk.home, '.claude/settings.json'), '{"disabledMcpjsonServers": ["staffetta"]}');
    expect((await desk.look('claude-code'))['claude-code-mcp']).toMatchObject(
      wrong('disabledMcpjsonServers'),
    );
  });

  test('that is switched off is named', async () => {
    const desk = new Desk();
    desk.setUp('opencode');
    desk.edit('.config/opencode/opencode.json', (text) =>
      text.replace('"enabled": true', '"enabled": false'),
    );
    expect((await desk.look('opencode'))['opencode-mcp']).toMatchObject(wrong('enabled = false'));
    desk.setUp('gemini-cli');
    put(join(desk.root, '.gemini/settings.json'), '{"mcp": {"excluded": ["staffetta"]}}');
    expect((await desk.look('gemini-cli'))['gemini-cli-mcp']).toMatchObject(wrong('mcp.excluded'));
  });
});

test('tools that are called only after asking are said to be', async () => {
  const desk = new Desk();
  desk.setUp('gemini-cli');
  desk.edit('.gemini/settings.json', (text) => text.replace('"trust": true', '"trust": false'));
  expect((await desk.look('gemini-cli'))['gemini-cli-mcp']).toMatchObject({ status: 'untried' });
  desk.setUp('claude-code');
  desk.edit('.claude/settings.json', (text) => text.replace('mcp__staffetta', 'mcp__other'));
  expect((await desk.look('claude-code'))['claude-code-mcp']).toMatchObject({
    status: 'untried',
    fix: expect.stringContaining('mcp__staffetta') as unknown,
  });
  desk.setUp('claude-code');
  desk.edit('.claude/settings.json', (text) =>
    text.replace('"permissions": {', '"permissions": { "ask": ["mcp__staffetta__take"],'),
  );
  expect((await desk.look('claude-code'))['claude-code-mcp']).toMatchObject({ status: 'untried' });
});

test('what opencode has yet to fetch is said', async () => {
  const desk = new Desk();
  desk.setUp('opencode');
  expect((await desk.look('opencode'))['opencode-plugin']).toMatchObject({ status: 'untried' });
  mkdirSync(join(desk.home, '.config/opencode/node_modules/@opencode-ai/plugin'), { recursive: true });
  expect((await desk.look('opencode'))['opencode-plugin']).toMatchObject({ status: 'ok' });
});

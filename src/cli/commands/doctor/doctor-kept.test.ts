/** What is set up and is not used all the same: handlers that are not run, tools that may not be called, and what is there twice. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { Desk, put, wrong } from '../../../../test/support/doctor-desk.ts';
import { tools } from '../../../mcp/tools.ts';
import { toolNames } from '../../../setup/forms/entries.ts';
import type { DoctorFinding } from './doctor-finding.ts';

describe.concurrent('hooks that are there and are not run', () => {
  test('because of their type are named', async () => {
    for (const [name, path, event] of [
      ['claude-code', '.claude/settings.json', 'SessionStart'],
      ['codex', '.codex/hooks.json', 'SessionStart'],
      ['gemini-cli', '.gemini/settings.json', 'BeforeAgent'],
    ] as const) {
      const desk = new Desk();
      desk.setUp(name);
      desk.edit(path, (text) => text.replace('"type": "command"', '"type": "prompt"'));
      const found = (await desk.look(name))[`${name}-hooks`];
      expect(found).toMatchObject(wrong(`has ${event}, but not so that it is run: its type is "prompt"`));
    }
  });

  test('because of a matcher are named, and so are those that a matcher narrows', async () => {
    const desk = new Desk();
    desk.setUp('claude-code');
    const path = '.claude/settings.json';
    const matched = async (event: string, matcher: string): Promise<DoctorFinding | undefined> => {
      const before = readFileSync(join(desk.home, path), 'utf8');
      desk.edit(path, (text) => {
        const settings = JSON.parse(text) as { hooks: Record<string, { matcher?: string }[]> };
        for (const group of settings.hooks[event] ?? []) group.matcher = matcher;
        return JSON.stringify(settings);
      });
      const found = (await desk.look('claude-code'))['claude-code-hooks'];
      writeFileSync(join(desk.home, path), before);
      return found;
    };
    expect(await matched('SessionStart', 'resume')).toMatchObject(wrong('its matcher "resume" leaves out'));
    expect(await matched('SessionStart', 'startup|resume')).toMatchObject({
      status: 'untried',
      text: expect.stringContaining('only where its matcher "startup|resume" fits') as unknown,
    });
    expect(await matched('PostToolUse', 'Bash')).toMatchObject({ status: 'untried' });
    for (const [event, matcher] of [
      ['SessionStart', 'startup|resume|clear|compact'],
      ['PostToolUse', '*'],
      ['PostToolUse', ''],
      ['Stop', 'ignored'],
    ] as const)
      expect(await matched(event, matcher)).toMatchObject({ status: 'ok' });
  });

  test('because somebody switched them off in Codex are called that, with what switches them on', async () => {
    const desk = new Desk();
    desk.setUp('codex');
    const config = '.codex/config.toml';
    const key = `[hooks.state.${JSON.stringify(join(desk.home, '.codex/hooks.json:session_start:0:0'))}]`;
    desk.edit(config, (text) => text.replace(key, `${key}\nenabled = false`));
    const found = (await desk.look('codex'))['codex-hooks'];
    expect(found).toMatchObject(wrong('SessionStart of Codex was switched off: enabled = false in'));
    expect(found?.fix).toContain('/hooks in codex, or write enabled = true there');
    expect(found?.fix).toContain(key);
    desk.edit(config, (text) => text.replace('enabled = false', 'enabled = true'));
    expect((await desk.look('codex'))['codex-hooks']).toMatchObject({ status: 'ok' });
    desk.edit(config, (text) => text.replace('sha256:', 'sha256:0'));
    expect((await desk.look('codex'))['codex-hooks']).toMatchObject(wrong('does not trust SessionStart'));
  });
});

describe.concurrent('the plugin', () => {
  const on: Readonly<Record<string, readonly [path: string, text: string, off: string]>> = {
    'claude-code': ['.claude/settings.json', '"staffetta@staffetta": true', '"staffetta@staffetta": false'],
    codex: ['.codex/config.toml', 'enabled = true', 'enabled = false'],
    'gemini-cli': ['.gemini/extensions/extension-enablement.json', '"/*"', '"!/*"'],
  };

  test.each(['claude-code', 'codex', 'gemini-cli'] as const)(
    'of %s is named where it stands alone, and is wrong beside what init wrote',
    async (name) => {
      const desk = new Desk();
      const install = (): void => {
        if (name === 'codex') {
          const config = join(desk.home, '.codex/config.toml');
          const text = existsSync(config) ? readFileSync(config, 'utf8') : '';
          put(config, `${text}[plugins."staffetta@staffetta"]\nenabled = true\n`);
        } else if (name === 'gemini-cli') {
          put(join(desk.home, '.gemini/extensions/staffetta/gemini-extension.json'), '{}');
          put(join(desk.home, on[name]?.[0] ?? ''), '{"staffetta": {"overrides": ["/*"]}}');
        } else {
          const path = join(desk.home, '.claude/settings.json');
          const said = existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as object) : {};
          put(path, JSON.stringify({ ...said, enabledPlugins: { 'staffetta@staffetta': true } }, null, 2));
        }
      };
      install();
      const brought = {
        status: 'untried',
        text: expect.stringContaining('brought by the plugin') as unknown,
      };
      expect(await desk.look(name)).toMatchObject({ [`${name}-hooks`]: brought, [`${name}-mcp`]: brought });
      desk.setUp(name);
      const both = (await desk.look(name))[`${name}-hooks`];
      expect(both).toMatchObject(wrong('Hooks are there twice'));
      expect(both?.fix).toMatch(/^Keep one of them: \w+ \w+ (?:remove|uninstall) staffetta/);
      const [path = '', text = '', off = ''] = on[name] ?? [];
      desk.edit(path, (now) => now.replace(text, off));
      expect((await desk.look(name))[`${name}-hooks`]).toMatchObject({ status: 'ok' });
    },
  );
});

describe.concurrent('tools that settings keep from being called', () => {
  test('are those that the server has', () => {
    expect(toolNames).toEqual(tools.map(({ name }) => name));
  });

  const settings = {
    'claude-code': ['.claude/settings.json', '"permissions": {'],
    codex: ['.codex/config.toml', '[mcp_servers.staffetta]\n'],
    'gemini-cli': ['.gemini/settings.json', '"trust": true,'],
    opencode: ['.config/opencode/opencode.json', '{'],
  } as const;

  test.each([
    ['claude-code', '"deny": ["mcp__staffetta"],', 'permissions.deny', 'all tools'],
    ['claude-code', '"deny": ["mcp__staffetta__*"],', 'permissions.deny', 'all tools'],
    ['claude-code', '"deny": ["mcp__staffetta__take", "Bash"],', 'permissions.deny', 'take of'],
    ['codex', 'disabled_tools = ["seal", "take"]\n', 'disabled_tools', 'take, seal of'],
    ['codex', 'enabled_tools = []\n', 'enabled_tools', 'all tools'],
    ['gemini-cli', '"excludeTools": ["wait"],', 'excludeTools', 'wait of'],
    ['opencode', '"tools": { "staffetta_*": false, "staffetta_read": true },', 'tools', 'status, open'],
  ] as const)('are named: %s with %s', async (name, added, setting, which) => {
    const desk = new Desk();
    desk.setUp(name);
    const [path, before] = settings[name];
    desk.edit(path, (text) => text.replace(before, before + added));
    const found = (await desk.look(name))[`${name}-mcp`];
    expect(found).toMatchObject(wrong(`${setting} in ${join(desk.home, path)} keeps ${which}`));
  });
});

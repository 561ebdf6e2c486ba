import { describe, expect, test } from 'vitest';
import { fileKinds, formOf, setups, withOurs, withoutOurs } from '../../test/support/setup-forms.ts';
import type { RuntimeName } from '../ports/runtime.ts';
import { disabled, trustOf, untrusted } from '../runtimes/codex/hook-trust.ts';
import type { OwnPaths } from './forms/entries.ts';
import { parseToml } from './edit/toml-pieces.ts';
import type { ReadSettings } from './forms/settings-files.ts';

const paths: OwnPaths = {
  node: '/opt/my node/bin/node',
  hook: '/opt/staffetta/dist/hook/main.cjs',
  command: '/opt/staffetta/bin/staffetta.cjs',
  plugin: '/opt/staffetta/plugin/opencode/staffetta.js',
};
const wish = { paths, trusted: null };
const all = { hooks: null, was: null };

const hooksIn = (kind: string, path: string, text: string) => formOf(kind).hooksIn?.(path, text);
const switchedOff = (name: RuntimeName, files: readonly ReadSettings[]) => setups[name].switchedOff?.(files);

describe('our part of a file', () => {
  test('comes once, however often it is asked for', () => {
    for (const kind of fileKinds) {
      const once = withOurs(kind, null, wish);
      expect({ kind, text: withOurs(kind, once, wish) }).toEqual({ kind, text: once });
    }
  });

  test('goes again, and a file that was made for it with it', () => {
    for (const kind of fileKinds)
      expect({ kind, left: withoutOurs(kind, withOurs(kind, null, wish), all) }).toEqual({
        kind,
        left: null,
      });
  });

  test('is changed where it stands when we have moved', () => {
    const moved = {
      ...wish,
      paths: { ...paths, hook: '/srv/dist/hook/main.cjs', command: '/srv/bin/staffetta.cjs' },
    };
    for (const kind of fileKinds) {
      const text = withOurs(kind, withOurs(kind, null, wish), moved);
      expect({ kind, text }).toEqual({ kind, text: withOurs(kind, null, moved) });
    }
  });

  test('in AGENTS.md has at most six lines between its marks', () => {
    const lines = withOurs('agents', '# Mine\n', wish).trimEnd().split('\n');
    const [open, close] = [
      lines.indexOf('<!-- staffetta:begin -->'),
      lines.indexOf('<!-- staffetta:end -->'),
    ];
    expect(close - open - 1).toBeGreaterThan(0);
    expect(close - open - 1).toBeLessThanOrEqual(6);
  });

  test('leaves a table that Codex put behind ours', () => {
    const text = withOurs('codex-config', 'model = "x"\n', wish).replace(
      '# <<< staffetta',
      '\n[projects."/w"]\ntrust_level = "trusted"\ncommand = "theirs"\n# <<< staffetta',
    );
    expect(withoutOurs('codex-config', text, all)).toBe(
      'model = "x"\n\n[projects."/w"]\ntrust_level = "trusted"\ncommand = "theirs"\n',
    );
  });

  test('takes no plugin of somebody else for ours', () => {
    expect(withoutOurs('opencode-plugin', 'export const mine = 1;\n', all)).toBe('export const mine = 1;\n');
  });
});

function read(role: ReadSettings['role'], settings: ReadSettings['settings']): ReadSettings {
  return { path: `/${role}`, role, settings };
}

describe('what is found', () => {
  test('names the events that are missing and the programs that are called', () => {
    const text = withOurs('claude-hooks', null, wish);
    expect(hooksIn('claude-hooks', 'settings.json', text)).toMatchObject({
      events: 7,
      missing: [],
      programs: [paths.node, paths.hook],
    });
    const half = JSON.stringify({
      hooks: { Stop: (JSON.parse(text) as { hooks: { Stop: unknown } }).hooks.Stop },
    });
    expect(hooksIn('claude-hooks', 'settings.json', half)?.missing).toContain('SessionStart');
    expect(hooksIn('claude-hooks', 'settings.json', '{"hooks":{"Stop":[]}}')).toBeUndefined();
    expect(
      hooksIn('opencode-plugin', 'staffetta.js', withOurs('opencode-plugin', null, wish))?.programs,
    ).toEqual([paths.node, paths.hook, paths.plugin]);
  });

  test('tells what switches all hooks off, in whichever file says so last', () => {
    const off = { disableAllHooks: true };
    expect(switchedOff('claude-code', [read('user', {}), read('shared', off)])).toMatchObject({
      path: '/shared',
      setting: 'disableAllHooks = true',
    });
    expect(
      switchedOff('claude-code', [read('shared', off), read('local', { disableAllHooks: false })]),
    ).toBeUndefined();
    expect(switchedOff('claude-code', [read('managed', { allowManagedHooksOnly: true })])).toBeDefined();
    expect(switchedOff('gemini-cli', [read('local', { hooksConfig: { enabled: false } })])).toMatchObject({
      setting: 'hooksConfig.enabled = false',
    });
    expect(
      switchedOff('gemini-cli', [read('user', { hooksConfig: { disabled: ['staffetta'] } })]),
    ).toBeDefined();
    expect(switchedOff('codex', [read('user', { features: { hooks: false } })])).toBeDefined();
    expect(switchedOff('codex', [read('user', { features: { hooks: true } })])).toBeUndefined();
  });
});

describe('trust of Codex', () => {
  const path = '/home/ada/.codex/hooks.json';

  test('is the hash that Codex 0.166.0 tells for the same hook', () => {
    const text = JSON.stringify({
      hooks: {
        SessionStart: [
          { hooks: [] },
          { hooks: [{ type: 'command', command: '/n /s/hook/main.cjs codex SessionStart', timeout: 5 }] },
        ],
      },
    });
    const [trust] = trustOf(path, text);
    expect(trust?.key).toBe(`${path}:session_start:1:0`);
    // Told by `hooks/list` for this very command.
    expect(trust?.hash).toBe('sha256:f2380027c48e0d20062026b3d2a9335e68994bd631acdfcf20623d88b2ed1000');
  });

  test('is missed where the hash is another, and told apart from being switched off', () => {
    const hooks = withOurs('codex-hooks', null, wish);
    const trusts = trustOf(path, hooks);
    const config = withOurs('codex-config', null, { ...wish, trusted: { path, text: hooks } });
    expect(trusts).toHaveLength(7);
    expect(untrusted(trusts, parseToml(config))).toEqual([]);
    expect(untrusted(trusts, {})).toHaveLength(7);
    expect(untrusted(trusts, parseToml(config.replace(trusts[0]?.hash ?? '-', 'sha256:0')))).toEqual([
      trusts[0],
    ]);
    const switched = config.replace('trusted_hash', 'enabled = false\ntrusted_hash');
    expect(untrusted(trusts, parseToml(switched))).toEqual([]);
    expect(disabled(trusts, parseToml(switched))).toHaveLength(1);
    expect(disabled(trusts, parseToml(config))).toEqual([]);
  });
});

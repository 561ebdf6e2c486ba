import { describe, expect, test } from 'vitest';
import { withOurs, withoutOurs } from '../../../test/support/setup-forms.ts';
import type { OwnPaths } from '../forms/entries.ts';
import { ownHandlers } from './json-hooks.ts';

const paths: OwnPaths = {
  node: '/opt/node',
  hook: '/opt/staffetta/dist/hook/main.cjs',
  command: '/opt/staffetta/bin/staffetta.cjs',
  plugin: '/opt/staffetta/plugin/opencode/staffetta.js',
};
const wish = { paths, trusted: null };
const moved = { ...wish, paths: { ...paths, node: '/new/node' } };

interface Settings {
  hooks: Record<string, { matcher?: string; note?: string; hooks: { command: string }[] }[]>;
  mcpServers?: Record<string, Record<string, unknown>>;
  permissions?: Record<string, string[]>;
}

function edited(text: string, edit: (settings: Settings) => void): string {
  const settings = JSON.parse(text) as Settings;
  edit(settings);
  return JSON.stringify(settings, null, 2);
}

function without(kind: string, text: string, was: string | null = null): Settings | null {
  const left = withoutOurs(kind, text, { hooks: null, was });
  return left === null ? null : (JSON.parse(left) as Settings);
}

describe('ours is a handler, not the group it stands in', () => {
  const notify = { type: 'command', command: '/usr/bin/notify-me' };
  const text = edited(withOurs('claude-hooks', null, wish), ({ hooks }) => {
    hooks['Stop']?.[0]?.hooks.unshift(notify);
    const [group] = hooks['PostToolUse'] ?? [];
    if (group !== undefined) group.matcher = 'Edit|Write';
  });

  test('set up again, what somebody put beside it stays', () => {
    expect(withOurs('claude-hooks', text, wish)).toBe(text);
    const after = JSON.parse(withOurs('claude-hooks', text, moved)) as Settings;
    expect(after.hooks['Stop']?.[0]?.hooks).toMatchObject([
      notify,
      { command: expect.stringContaining('/new/node') as unknown },
    ]);
    expect(after.hooks['PostToolUse']?.[0]?.matcher).toBe('Edit|Write');
  });

  test('taken out, what somebody put beside it stays', () => {
    expect(without('claude-hooks', text)).toEqual({ hooks: { Stop: [{ hooks: [notify] }] } });
  });

  test('a group that says more than a matcher stays, with no handler', () => {
    const noted = edited(text, ({ hooks }) => {
      const [group] = hooks['PreCompact'] ?? [];
      if (group !== undefined) group.note = 'mine';
    });
    expect(without('claude-hooks', noted)?.hooks['PreCompact']).toEqual([{ note: 'mine', hooks: [] }]);
  });

  test('its place among others is the one that Codex knows it by', () => {
    const found = ownHandlers(text).find(({ event }) => event === 'Stop');
    expect(found).toMatchObject({ group: 0, place: 1 });
  });
});

describe('an entry of a server', () => {
  test('keeps what somebody added to it', () => {
    const text = edited(withOurs('gemini-settings', null, wish), ({ mcpServers }) => {
      Object.assign(mcpServers?.['staffetta'] ?? {}, { trust: false, timeout: 5 });
    });
    const after = JSON.parse(withOurs('gemini-settings', text, moved)) as Settings;
    expect(after.mcpServers?.['staffetta']).toMatchObject({ command: '/new/node', trust: false, timeout: 5 });
  });

  test('that somebody made by hand is neither changed nor taken out', () => {
    const text = '{"mcpServers":{"staffetta":{"command":"npx","args":["staffetta","mcp"]}}}';
    expect(withOurs('claude-mcp', text, wish)).toBe(text);
    expect(without('claude-mcp', text)).toEqual(JSON.parse(text));
  });
});

describe('what was there and empty before us', () => {
  test('is there and empty after us', () => {
    const was = '{"mcpServers":{},"hooks":{"Stop":[]},"permissions":{"allow":[]}}';
    expect(without('gemini-settings', withOurs('gemini-settings', was, wish), was)).toEqual(JSON.parse(was));
    expect(without('claude-hooks', withOurs('claude-hooks', was, wish), was)).toEqual(JSON.parse(was));
  });
});

describe('leave to call our tools', () => {
  test('is given once, and taken back', () => {
    const was = '{"permissions":{"allow":["Bash(ls)"]}}';
    const text = withOurs('claude-local', was, wish);
    expect(JSON.parse(text)).toMatchObject({
      permissions: { allow: ['Bash(ls)', 'mcp__staffetta'] },
      enabledMcpjsonServers: ['staffetta'],
    });
    expect(withOurs('claude-local', text, wish)).toBe(text);
    expect(without('claude-local', text, was)).toEqual(JSON.parse(was));
  });

  test('is not given against a refusal', () => {
    const was = '{"permissions":{"deny":["mcp__staffetta"]},"disabledMcpjsonServers":["staffetta"]}';
    const after = JSON.parse(withOurs('claude-local', was, wish)) as Settings;
    expect(after.permissions).toEqual({ deny: ['mcp__staffetta'] });
    expect(after).not.toHaveProperty('enabledMcpjsonServers');
  });

  test('that somebody gave before us stays', () => {
    const was = '{"permissions":{"allow":["mcp__staffetta"]}}';
    expect(without('claude-hooks', withOurs('claude-hooks', was, wish), was)).toEqual(JSON.parse(was));
  });
});

/** What settings of each program give its model: names, and nothing of what could be a secret. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Provisions, RuntimeName } from '../ports/runtime.ts';
import { allRuntimes } from './index.ts';

let root = '';
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'staffetta-provisions-'));
});
afterEach(() => {
  rmSync(root, { recursive: true, force: true });
});

const secret = 'SECRET-VALUE';
const server = { command: 'node', args: [secret], env: { KEY: secret }, headers: { Authorization: secret } };

function put(path: string, content: unknown): void {
  const full = join(root, path);
  mkdirSync(dirname(full), { recursive: true });
  writeFileSync(full, typeof content === 'string' ? content : JSON.stringify(content));
}

async function given(name: RuntimeName): Promise<Provisions> {
  const runtime = allRuntimes({ HOME: join(root, 'home'), PATH: '' }).find((each) => each.name === name);
  const found = await runtime?.provisions(join(root, 'work'));
  if (found === undefined) throw new Error(name);
  expect(JSON.stringify(found)).not.toContain(secret);
  return found;
}

const none: Provisions = { servers: [], denied: [], permissions: null, unread: [] };

test.each(['claude-code', 'codex', 'gemini-cli', 'opencode'] as const)(
  'without settings %s has nothing',
  async (name) => {
    expect(await given(name)).toEqual(none);
  },
);

describe('Claude Code', () => {
  test('has servers of the user, of the folder for the user, and of the folder', async () => {
    const work = join(root, 'work');
    put('home/.claude.json', {
      mcpServers: { mine: server },
      projects: {
        [work]: { mcpServers: { here: server }, disabledMcpjsonServers: ['off'] },
        '/elsewhere': { mcpServers: { elsewhere: server } },
      },
    });
    put('work/.mcp.json', { mcpServers: { shared: server, off: server } });
    expect(await given('claude-code')).toEqual({ ...none, servers: ['mine', 'here', 'shared'] });
  });

  test('says its mode and how many rules there are, and takes away tools that are denied whole', async () => {
    put('home/.claude/settings.json', {
      permissions: { defaultMode: 'plan', deny: ['WebFetch', `Bash(curl ${secret}:*)`] },
    });
    put('work/.claude/settings.local.json', {
      permissions: { defaultMode: 'acceptEdits', allow: [`Bash(echo ${secret})`] },
    });
    expect(await given('claude-code')).toEqual({
      ...none,
      denied: ['WebFetch'],
      permissions: 'acceptEdits; rules: 1 allow, 2 deny',
    });
  });
});

describe('Codex', () => {
  test('has the servers of its tables that are not switched off, and says its policies', async () => {
    put(
      'home/.codex/config.toml',
      `approval_policy = "on-request"
sandbox_mode = "workspace-write"
[mcp_servers.lab]
command = "node"
env = { KEY = "${secret}" }
[mcp_servers.lab.http_headers]
Authorization = "${secret}"
[mcp_servers.off]
enabled = false
command = "x"
[tools]
web_search = false
`,
    );
    put('work/.codex/config.toml', '[mcp_servers."of folder"]\ncommand = "x"\n');
    expect(await given('codex')).toEqual({
      servers: ['lab', 'of folder'],
      denied: ['web_search'],
      permissions: 'approval_policy on-request, sandbox_mode workspace-write',
      unread: [],
    });
  });
});

describe('Gemini CLI', () => {
  test('has the servers that are allowed and not excluded', async () => {
    put('home/.gemini/settings.json', {
      mcpServers: { a: server, b: server, c: server },
      mcp: { allowed: ['a', 'b'], excluded: ['b'] },
    });
    expect(await given('gemini-cli')).toEqual({ ...none, servers: ['a'] });
  });

  test('has not the tools that are excluded, and only those that are chosen', async () => {
    put('home/.gemini/settings.json', {
      tools: { exclude: ['ShellTool', 'read_file(x)'], allowed: [`run_shell_command(${secret})`] },
      general: { defaultApprovalMode: 'auto_edit' },
    });
    expect(await given('gemini-cli')).toEqual({
      ...none,
      denied: ['run_shell_command'],
      permissions: 'approval mode auto_edit, 1 tools or commands allowed',
    });
    put('work/.gemini/settings.json', { tools: { core: ['read_file', 'GlobTool'] } });
    const { denied } = await given('gemini-cli');
    expect(denied).toContain('write_file');
    expect(denied).not.toContain('glob');
  });
});

describe('opencode', () => {
  test('has the servers that are on, with comments in its settings, and those of the folder count more', async () => {
    put(
      'home/.config/opencode/opencode.jsonc',
      `{ // mine
  "mcp": { "a": ${JSON.stringify(server)}, "b": { "enabled": false }, "c": {}, },
  /* "mcp": {} */ "permission": { "bash": "deny", "edit": { "${secret}": "allow" } }
}`,
    );
    put('work/opencode.json', { mcp: { c: { enabled: false } }, tools: { webfetch: false } });
    expect(await given('opencode')).toEqual({
      servers: ['a'],
      denied: ['bash', 'webfetch'],
      permissions: 'bash deny, edit by 1 patterns',
      unread: [],
    });
  });
});

describe('settings that cannot be understood', () => {
  test.each([
    ['claude-code', 'work/.mcp.json'],
    ['codex', 'home/.codex/config.toml'],
    ['gemini-cli', 'home/.gemini/settings.json'],
    ['opencode', 'work/opencode.json'],
  ] as const)('are named: those of %s', async (name, path) => {
    for (const content of ['{ "a" = ', '[', '= =']) {
      put(path, content);
      expect(await given(name)).toEqual({ ...none, unread: [join(root, path)] });
    }
  });

  test.each([
    ['claude-code', 'home/.claude.json'],
    ['gemini-cli', 'home/.gemini/settings.json'],
    ['opencode', 'work/opencode.json'],
  ] as const)('of the wrong kind give nothing: those of %s', async (name, path) => {
    put(path, { mcpServers: [1], mcp: 'x', permission: 3, permissions: null, tools: [], projects: 7 });
    expect(await given(name)).toEqual(none);
  });
});

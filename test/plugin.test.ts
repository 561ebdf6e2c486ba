/** The plugin folder, held to the code and to what the programs accept. The lab asks the programs themselves. */
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parseCommandLine } from '../src/cli/frame/parse.ts';
import { splitCommand } from '../src/cli/contract/split-command.ts';
import type { RuntimeName } from '../src/ports/runtime.ts';
import { hookEvents } from '../src/setup/forms/entries.ts';

const root = join(import.meta.dirname, '..');

function textOf(path: string): string {
  return readFileSync(join(root, path), 'utf8');
}

function jsonOf(path: string): Record<string, unknown> {
  return JSON.parse(textOf(path)) as Record<string, unknown>;
}

const { version, license } = jsonOf('package.json');

describe('manifests', () => {
  const manifests = [
    'plugin/plugin.json',
    'plugin/.claude-plugin/plugin.json',
    'plugin/.codex-plugin/plugin.json',
    'plugin/gemini-cli/gemini-extension.json',
  ];

  test('have the name and the version of the package, and describe it alike', () => {
    const [first] = manifests.map(jsonOf);
    for (const path of manifests)
      expect({ path, ...jsonOf(path) }).toMatchObject({
        path,
        name: 'staffetta',
        version,
        description: first?.['description'],
      });
    expect(jsonOf('plugin/plugin.json')['license']).toBe(license);
  });

  test('of Agent Plugins have only the fields that its schema knows', () => {
    const known = [
      '$schema',
      'name',
      'version',
      'description',
      'author',
      'homepage',
      'repository',
      'license',
    ];
    const manifest = jsonOf('plugin/plugin.json');
    const other = Object.keys(manifest).filter((key) => ![...known, 'keywords', 'extensions'].includes(key));
    expect(other).toEqual([]);
    expect(manifest['$schema']).toBe('https://agent-plugins.org/schemas/1.0.0/plugin.schema.json');
    const { $schema, mcpServers, ...rest } = jsonOf('plugin/mcp.json');
    expect($schema).toBe('https://agent-plugins.org/schemas/1.0.0/mcp.schema.json');
    expect(mcpServers).toEqual({ staffetta: { type: 'stdio', command: 'staffetta', args: ['mcp'] } });
    expect(rest).toEqual({});
  });

  test('of Codex name files that are there', () => {
    const { skills, mcpServers, hooks } = jsonOf('plugin/.codex-plugin/plugin.json');
    for (const path of [skills, mcpServers, hooks])
      expect({ path, there: existsSync(join(root, 'plugin', String(path))) }).toEqual({ path, there: true });
  });

  test('are found by both marketplaces', () => {
    const [claude] = jsonOf('.claude-plugin/marketplace.json')['plugins'] as Record<string, unknown>[];
    expect(claude).toMatchObject({ name: 'staffetta', source: './plugin' });
    const [codex] = jsonOf('.agents/plugins/marketplace.json')['plugins'] as Record<string, unknown>[];
    expect(codex).toMatchObject({ name: 'staffetta', source: { source: 'local', path: './plugin' } });
  });

  test('travel with the package', () => {
    expect(jsonOf('package.json')['files']).toEqual(
      expect.arrayContaining(['.agents', '.claude-plugin', 'plugin']),
    );
  });
});

describe('hooks', () => {
  const files: Readonly<Partial<Record<RuntimeName, string>>> = {
    'claude-code': 'plugin/hooks/hooks.json',
    codex: 'plugin/hooks/codex.json',
    'copilot-cli': 'plugin/com.github.copilot/hooks/hooks.json',
    'gemini-cli': 'plugin/gemini-cli/hooks/hooks.json',
  };

  test('are those that init sets up, and do nothing where the command is not installed', () => {
    for (const [runtime, path] of Object.entries(files)) {
      const hooks = jsonOf(path)['hooks'] as Record<string, [{ hooks: [{ command: string }] }]>;
      expect(Object.keys(hooks)).toEqual(hookEvents(runtime as RuntimeName));
      for (const [event, [{ hooks: all }]] of Object.entries(hooks))
        expect(all[0].command).toBe(
          `command -v staffetta >/dev/null 2>&1 && staffetta hook ${runtime} ${event} || true`,
        );
    }
  });
});

describe('skills', () => {
  const names = readdirSync(join(root, 'plugin/skills'));

  test('are three, each named as its folder, with a description of when to use it', () => {
    expect(names.toSorted()).toEqual(['handoff', 'resume', 'review']);
    for (const name of names) {
      const [, head = ''] = /^---\n([\s\S]*?)\n---\n/.exec(textOf(`plugin/skills/${name}/SKILL.md`)) ?? [];
      const fields = Object.fromEntries(head.split('\n').map((line) => line.split(/: (.*)/s).slice(0, 2)));
      expect(Object.keys(fields)).toEqual(['name', 'description']);
      expect(fields['name']).toBe(name);
      expect(fields['description']).toContain('Use when');
      expect(fields['description']?.length).toBeLessThan(1024);
    }
  });

  test('are short, and the same for Gemini CLI', () => {
    for (const name of names) {
      const text = textOf(`plugin/skills/${name}/SKILL.md`);
      expect(text.split('\n').length).toBeLessThan(40);
      expect(textOf(`plugin/gemini-cli/skills/${name}/SKILL.md`)).toBe(text);
    }
  });

  test('name only commands that there are', () => {
    const commands = names.flatMap((name) =>
      [...textOf(`plugin/skills/${name}/SKILL.md`).matchAll(/`(staffetta[^`]*)`/g)].map(
        ([, line = '']) => line,
      ),
    );
    expect(commands.length).toBeGreaterThan(15);
    for (const line of commands) {
      const words = splitCommand(line).slice(1);
      expect(() => parseCommandLine(words)).not.toThrow();
    }
  });
});

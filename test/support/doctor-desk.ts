/** Programs' settings in a scratch home, and a hook and a server of which each can be broken. */
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, expect } from 'vitest';
import type { DoctorFinding } from '../../src/cli/commands/doctor/doctor-finding.ts';
import { linkFindings } from '../../src/cli/commands/doctor/doctor-links.ts';
import { askServer } from '../../src/cli/commands/doctor/doctor-mcp.ts';
import { tryHook } from '../../src/cli/commands/doctor/doctor-try.ts';
import { runtimeNames, type RuntimeName } from '../../src/ports/runtime.ts';
import { changesFor } from '../../src/setup/change.ts';
import type { Homes, Scope } from '../../src/setup/forms/agent-setup.ts';
import { plannedFiles } from '../../src/setup/plan.ts';
import { setups } from './setup-forms.ts';

const scratch = realpathSync(mkdtempSync(join(tmpdir(), 'staffetta-links-')));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

/** Does what ours does with an event that says nothing. */
const hookSource = `const { dirname, join } = require('node:path');
process.stdin.resume().on('end', () =>
  require('node:fs').writeFileSync(join(dirname(process.env.STAFFETTA_STORE), 'hook.log'), 'nothing was done\\n'));`;
const serverSource = `require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method } = JSON.parse(line);
  const result = method === 'initialize' ? { serverInfo: { name: 'staffetta', version: '9' } } : { tools: [{}] };
  if (id !== undefined) console.log(JSON.stringify({ jsonrpc: '2.0', id, result }));
});`;

export function put(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

export const own = {
  node: process.execPath,
  hook: join(scratch, 'own/dist/hook/main.cjs'),
  command: join(scratch, 'own/bin/staffetta.cjs'),
  plugin: join(scratch, 'own/plugin/opencode/staffetta.js'),
};
put(own.hook, hookSource);
put(own.command, serverSource);
put(own.plugin, '');

const homeNames: Readonly<Record<RuntimeName, string>> = {
  'claude-code': '.claude',
  cline: '.cline',
  codex: '.codex',
  'copilot-cli': '.copilot',
  'gemini-cli': '.gemini',
  opencode: '.local/share/opencode',
  'qwen-code': '.qwen',
};

let count = 0;

export class Desk {
  readonly home: string;
  readonly root: string;
  readonly homes: Homes;

  constructor() {
    count += 1;
    this.home = join(scratch, `home-${count}`);
    this.root = join(scratch, `repository-${count}`);
    const homes = Object.fromEntries(runtimeNames.map((name) => [name, join(this.home, homeNames[name])]));
    for (const folder of [...Object.values(homes), this.root]) mkdirSync(folder, { recursive: true });
    this.homes = { setups, homes, env: {}, homeFolder: this.home, root: this.root, exists: existsSync };
  }

  setUp(name: RuntimeName, scope: Scope = 'user'): void {
    for (const { path, after } of changesFor(plannedFiles(name, scope, this.homes), own)) put(path, after);
  }

  edit(path: string, edit: (text: string) => string): void {
    const full = join(this.home, path);
    writeFileSync(full, edit(readFileSync(full, 'utf8')));
  }

  async look(name: RuntimeName, env: NodeJS.ProcessEnv = {}): Promise<Record<string, DoctorFinding>> {
    const trying = { ask: askServer, call: tryHook, env };
    const found = await linkFindings(name, this.homes, trying);
    const silent = found.find(({ status, fix }) => status === 'wrong' && fix === undefined);
    if (silent !== undefined) throw new Error(`No fix is named for ${silent.check}: ${silent.text}`);
    return Object.fromEntries(found.map((finding) => [finding.check, finding]));
  }
}

export const wrong = (text: string): object => ({
  status: 'wrong',
  text: expect.stringContaining(text) as unknown,
});

/**
 * Each of the programs, driven by the model of the lab, opens a task through our MCP server, seals it and hands it over; another takes it
 * through the same server. What the models were told, and what is on record, is the proof.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { runtimeNames, type RuntimeName } from '../../src/ports/runtime.ts';
import { agents } from './agents/all.ts';
import { answerOf, failure, programs, proves } from './lab.ts';
import { Machine } from './machine.ts';
import { FakeModel, type Turn } from './model/fake-model.ts';
import { field, list, text } from './model/json.ts';
import { asked, start } from './running.ts';

const launcher = join(import.meta.dirname, '../../bin/staffetta.cjs');

interface Setup {
  /** Sets the server up in the home, by hand, as docs/mcp.md says. Returns further arguments for the program. */
  readonly configure: (
    machine: Machine,
    server: { readonly command: string; readonly args: readonly string[] },
  ) => readonly string[];
  /** How the program names a tool of ours to its model. */
  readonly tool: (name: string) => { readonly tool: string; readonly namespace?: string };
}

function changed(file: string, change: (settings: Record<string, unknown>) => object): void {
  const settings = JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown>;
  writeFileSync(file, JSON.stringify(change(settings)));
}

const setups: Readonly<Record<RuntimeName, Setup>> = {
  'claude-code': {
    configure({ root }, { command, args }) {
      const file = join(root, 'mcp.json');
      writeFileSync(file, JSON.stringify({ mcpServers: { staffetta: { type: 'stdio', command, args } } }));
      return ['--mcp-config', file];
    },
    tool: (name) => ({ tool: `mcp__staffetta__${name}` }),
  },
  cline: {
    configure({ home }, { command, args }) {
      const file = join(home, '.cline/data/settings/cline_mcp_settings.json');
      writeFileSync(file, JSON.stringify({ mcpServers: { staffetta: { command, args } } }));
      return [];
    },
    tool: (name) => ({ tool: `staffetta__${name}` }),
  },
  codex: {
    configure({ home }, { command, args }) {
      const file = join(home, '.codex/config.toml');
      const block = `[mcp_servers.staffetta]\ncommand = ${JSON.stringify(command)}\nargs = ${JSON.stringify(args)}\n`;
      writeFileSync(file, `${readFileSync(file, 'utf8')}\n${block}`);
      return [];
    },
    tool: (tool) => ({ tool, namespace: 'mcp__staffetta' }),
  },
  'copilot-cli': {
    configure({ root }, { command, args }) {
      const file = join(root, 'mcp.json');
      const servers = { staffetta: { type: 'local', command, args, tools: ['*'] } };
      writeFileSync(file, JSON.stringify({ mcpServers: servers }));
      return ['--additional-mcp-config', `@${file}`];
    },
    tool: (name) => ({ tool: `staffetta-${name}` }),
  },
  'gemini-cli': {
    configure({ home }, { command, args }) {
      changed(join(home, '.gemini/settings.json'), (settings) => ({
        ...settings,
        mcpServers: { staffetta: { command, args, trust: true } },
      }));
      return [];
    },
    tool: (name) => ({ tool: `mcp_staffetta_${name}` }),
  },
  opencode: {
    configure({ home }, { command, args }) {
      changed(join(home, '.config/opencode/opencode.json'), (settings) => ({
        ...settings,
        mcp: { staffetta: { type: 'local', command: [command, ...args], enabled: true } },
      }));
      return [];
    },
    tool: (name) => ({ tool: `staffetta_${name}` }),
  },
  'qwen-code': {
    configure({ home }, { command, args }) {
      changed(join(home, '.qwen/settings.json'), (settings) => ({
        ...settings,
        mcpServers: { staffetta: { command, args, trust: true } },
      }));
      return [];
    },
    tool: (name) => ({ tool: `mcp__staffetta__${name}` }),
  },
};

/** Programs from which a server learns, without a hook, which session calls. */
const tellsSession: ReadonlySet<RuntimeName> = new Set(['claude-code', 'codex', 'copilot-cli', 'qwen-code']);

function calls(runtime: RuntimeName, name: string, args: Readonly<Record<string, unknown>>): Turn {
  return { text: `I call ${name}.`, call: { ...setups[runtime].tool(name), args } };
}

async function run(
  runtime: RuntimeName,
  machine: Machine,
  { prompt, store }: { readonly prompt: string; readonly store: string },
): Promise<void> {
  const agent = agents[runtime];
  const args = [launcher, 'mcp', '--store', store];
  const more = setups[runtime].configure(machine, { command: process.execPath, args });
  const order = {
    ...asked(agent, [...agent.ask, ...more]),
    stdin: prompt,
    cwd: machine.work,
    env: machine.env,
  };
  const ended = await start(order).ended;
  if (ended.status !== 0) throw new Error(failure(agent.title, ended));
}

/** What the model was told that its calls gave, in order. */
function results(model: FakeModel): string[] {
  return (model.told.at(-1) ?? []).flatMap((said) => (said.by === 'result' ? [said.text] : []));
}

const contract = {
  goal: 'README.md names the lab in its first line, and a second line says what it is for.',
  acceptance: ['README.md has two lines'],
  nonGoals: ['any other file'],
  validation: ['test -s README.md'],
  review: 'human',
};
const words = {
  summary: 'The first line is there.',
  remaining: ['the second line of README.md'],
  nextAction: 'write the second line of README.md',
  artefacts: ['README.md'],
};

describe('through the MCP server', () => {
  for (const [place, from] of runtimeNames.entries()) {
    const to = runtimeNames[(place + 1) % runtimeNames.length] ?? from;
    test(`${from} opens, seals and hands over, and ${to} takes`, async (context) => {
      proves(context, { kind: 'MCP', from, to });
      await using giver = await FakeModel.start(
        calls(from, 'open', contract),
        calls(from, 'seal', words),
        calls(from, 'seal', { ...words, to: `runtime:${to}` }),
        { text: 'It is handed over.' },
      );
      using machine = Machine.create(programs, giver.origin);
      const store = join(machine.root, 'store.db');
      await run(from, machine, { prompt: 'Hand this over with the staffetta tools.', store });
      const given = results(giver);
      expect(given).toHaveLength(3);
      const [, task = ''] = /\b(t[0-9a-hjkmnp-tv-z]{12})\b/.exec(given[0] ?? '') ?? [];
      expect(given[1]).toContain('ready');
      expect(given[2]).toContain(`runtime:${to}`);
      const opened = await answerOf(machine, 'show', task);
      expect(opened).toMatchObject({ status: 'offered', offer: { to: `runtime:${to}` } });
      expect(field(opened, 'packet', 'from')).toMatchObject({ name: from, runtime: from });
      // Where the session is known, all of it up to the call goes into the packets, by itself.
      const session = field(opened, 'packet', 'facts', 'session', 'id');
      // A connection that names no session stands for one itself, and holds no records.
      const speaker = String(field(opened, 'packet', 'from', 'session'));
      expect(session).toBe(speaker.startsWith('connection:') ? undefined : speaker);
      expect(session === undefined).toBe(!tellsSession.has(from));

      await using taker = await FakeModel.start(calls(to, 'take', {}), { text: 'I have read it.' });
      using other = machine.copy(taker.origin);
      await run(to, other, { prompt: 'Take what is on offer to you.', store });
      const [taken = ''] = results(taker);
      expect(taken).toContain(task);
      expect(taken).toContain('write the second line of README.md');
      expect(taken).toContain('```text');
      const held = await answerOf(machine, 'show', task);
      // A connection that stands for a session itself gives its task back when it closes, unless its program kills it.
      const isGivenBack = !tellsSession.has(to) && field(held, 'status') === 'offered';
      expect(held).toMatchObject(
        isGivenBack
          ? { generation: 2, leg: null }
          : { status: 'held', leg: { holder: { name: to, runtime: to }, generation: 2 } },
      );
      expect(list(field(held, 'authors')).map(text)).toContain(from);
    });
  }
});

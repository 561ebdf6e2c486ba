/**
 * An agent for the cases of runners, as a program: `agent.mjs SPEAKS …`, where SPEAKS is acp, lines or headless (as Claude Code does).
 * How it behaves is in AGENT_MANNER; what happens to it, it appends to the file AGENT_NOTES.
 */
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { appendFileSync, closeSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { manners } from './manners.mjs';

const [speaks, ...args] = process.argv.slice(2);
const { AGENT_MANNER: manner, AGENT_NOTES: file, CLAUDE_CONFIG_DIR: home } = process.env;

const note = (entry) => appendFileSync(file, `${JSON.stringify({ pid: process.pid, ...entry })}\n`);
const leads = () => {
  if (process.platform !== 'linux') return true;
  const stat = readFileSync('/proc/self/stat', 'utf8');
  return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[2]) === process.pid;
};
note({
  what: 'start',
  mark: process.env.STAFFETTA_RUN,
  leads: leads(),
  given: [...process.argv, ...Object.values(process.env)].join('\n'),
});

if (manner === 'deaf') for (const signal of ['SIGTERM', 'SIGHUP', 'SIGINT']) process.on(signal, () => {});

const sessionPath = (id) =>
  join(home, 'projects', process.cwd().replaceAll(/[^A-Za-z0-9]/g, '-'), `${id}.jsonl`);
/** As Claude Code writes it, as far as it is needed to list it. */
function keep(id, prompt) {
  mkdirSync(dirname(sessionPath(id)), { recursive: true });
  const message = { role: 'user', content: prompt };
  const record = {
    parentUuid: null,
    type: 'user',
    message,
    uuid: randomUUID(),
    cwd: process.cwd(),
    sessionId: id,
  };
  appendFileSync(sessionPath(id), `${JSON.stringify({ ...record, timestamp: new Date().toISOString() })}\n`);
}
const isKept = (id) => manner !== 'forgets' && existsSync(sessionPath(id));

const write = (message) => process.stdout.write(`${JSON.stringify(message)}\n`);
const long = () => process.stdout.write(`"${'x'.repeat(33 * 1024 * 1024)}"\n`);
const leave = async () => {
  const stubborn = `process.on('SIGTERM', () => {}); process.on('SIGHUP', () => {});
require('node:fs').appendFileSync(${JSON.stringify(file)}, JSON.stringify({ what: 'start', pid: process.pid, mark: process.env.STAFFETTA_RUN }) + '\\n');
setInterval(() => {}, 1000);`;
  const child = spawn(process.execPath, ['-e', stubborn], { detached: true, stdio: 'ignore' });
  child.unref();
  while (!readFileSync(file, 'utf8').includes(`"pid":${child.pid}`))
    await new Promise((go) => setTimeout(go, 5));
};

const hangUp = () => closeSync(1);

const shared = { hangUp, note, long, leave, manner, isLetGo: () => existsSync(`${file}.go`) };

const option = (name) => {
  const joined = args.find((arg) => arg.startsWith(`${name}=`));
  return joined?.slice(name.length + 1) ?? (args.includes(name) ? args[args.indexOf(name) + 1] : undefined);
};

const update = (sessionId, text) =>
  write({
    jsonrpc: '2.0',
    method: 'session/update',
    params: {
      sessionId,
      update: { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text } },
    },
  });

const fronts = {
  lines() {
    let opened;
    let id;
    const answers = new Map();
    const name = () => write({ type: 'session', runtime: 'claude-code', id, path: sessionPath(id) });
    const own = {
      ...shared,
      say: (text) => write({ type: 'said', text }),
      garbage: () => process.stdout.write('no { message\n'),
      strange: () => write({ type: 'unheard-of' }),
      may: async (permission, what) => {
        if (manner !== 'asks') return 'always';
        const asked = randomUUID();
        write({ type: 'ask', id: asked, what, permission });
        return await new Promise((resolve) => answers.set(asked, resolve));
      },
    };
    const turn = async (prompt) => {
      keep(id, prompt);
      name();
      note({ what: 'turn', prompt, session: id, access: opened.access });
      const refused = await manners[manner](own);
      write({ type: 'over', ...(refused === undefined ? {} : { refused }) });
    };
    const on = {
      open: (message) => {
        opened = message;
        id = message.session?.id ?? randomUUID();
        if (message.session !== null && !isKept(id)) process.exit(1);
        if (message.session !== null) name();
      },
      turn: ({ prompt }) => void turn(prompt),
      answer: ({ id: asked, allow }) => answers.get(asked)?.(allow ? 'once' : 'no'),
      cancel: () => {},
    };
    createInterface({ input: process.stdin }).on('line', (line) => {
      const message = JSON.parse(line);
      on[message.type](message);
    });
  },

  headless() {
    const resumed = option('--resume');
    const id = resumed ?? option('--session-id');
    if (resumed !== undefined && !isKept(resumed)) {
      process.stderr.write('No conversation found\n');
      process.exit(1);
    }
    const allowed = (option('--allowedTools') ?? '').split(',');
    const mode = option('--permission-mode');
    const said = (content) =>
      write({ type: 'assistant', session_id: id, parent_tool_use_id: null, message: { content } });
    const tools = { read: 'Read', edit: 'Edit', execute: 'Bash', network: 'WebFetch', outside: 'None' };
    const own = {
      ...shared,
      say: (text) => said([{ type: 'text', text }]),
      garbage: () => process.stdout.write('no { message\n'),
      strange: () => write({ type: 'assistant', session_id: randomUUID() }),
      may: async (permission) =>
        permission === 'read' ||
        allowed.includes(tools[permission]) ||
        (permission === 'edit' && mode === 'acceptEdits')
          ? 'always'
          : 'no',
    };
    let prompt = '';
    process.stdin.setEncoding('utf8');
    process.stdin.on('data', (text) => (prompt += text));
    const turn = async () => {
      keep(id, prompt);
      write({ type: 'system', subtype: 'init', session_id: id });
      note({ what: 'turn', prompt, session: id, access: mode === 'plan' ? 'look' : 'change' });
      const refused = await manners[manner](own);
      const usage = { input_tokens: 3, output_tokens: 1 };
      write({
        type: 'result',
        session_id: id,
        is_error: refused !== undefined,
        result: refused ?? 'Done.',
        usage,
      });
      process.exitCode = refused === undefined ? 0 : 1;
    };
    process.stdin.on('end', () => void turn());
  },

  acp() {
    let id;
    let mode = 'default';
    let asked = 0;
    let isCancelled = false;
    const answers = new Map();
    const kinds = { read: 'read', edit: 'edit', execute: 'execute', network: 'fetch', outside: 'read' };
    const own = {
      ...shared,
      say: (text) => update(id, text),
      garbage: () => {
        process.stdout.write('no { message\n');
        write({ jsonrpc: '2.0', id: 4711, result: {} });
        write({ jsonrpc: '2.0', method: 'session/update', params: { sessionId: 3 } });
      },
      strange: () => update(randomUUID(), 'of another'),
      may: async (permission, what) => {
        if (permission === 'read') return 'always';
        const request = `q${asked++}`;
        const toolCall = { toolCallId: request, title: what, kind: kinds[permission] };
        if (permission === 'outside') toolCall.locations = [{ path: '/etc/hostname' }];
        const options = ['allow_always', 'allow_once', 'reject_once'].map((kind) => ({
          optionId: kind,
          name: kind,
          kind,
        }));
        write({
          jsonrpc: '2.0',
          id: request,
          method: 'session/request_permission',
          params: { sessionId: id, toolCall, options },
        });
        const { outcome } = await new Promise((resolve) => answers.set(request, resolve));
        return { allow_once: 'once', allow_always: 'always' }[outcome.optionId] ?? 'no';
      },
    };
    const modes = () => ({
      currentModeId: mode,
      availableModes: ['default', ...(manner === 'never-looks' ? [] : ['plan'])].map((one) => ({
        id: one,
        name: one,
      })),
    });
    const on = {
      initialize: () => ({ protocolVersion: 1, agentCapabilities: { loadSession: true } }),
      'session/new': () => {
        id = randomUUID();
        return { sessionId: id, modes: modes() };
      },
      'session/load': ({ sessionId }) => {
        if (!isKept(sessionId)) throw new Error('There is no such session.');
        id = sessionId;
        update(id, 'said long ago');
        return { modes: modes() };
      },
      'session/set_mode': ({ modeId }) => {
        mode = modeId;
        return {};
      },
      'session/prompt': async ({ prompt: [{ text }] }) => {
        isCancelled = false;
        keep(id, text);
        note({ what: 'turn', prompt: text, session: id, access: mode === 'plan' ? 'look' : 'change' });
        const refused = await manners[manner](own);
        if (refused !== undefined) throw new Error(refused);
        return { stopReason: isCancelled ? 'cancelled' : 'end_turn' };
      },
      'session/cancel': () => void (isCancelled = true),
    };
    const hear = async (message) => {
      if (message.method === undefined) return answers.get(message.id)?.(message.result ?? {});
      try {
        const result = await on[message.method](message.params);
        if (message.id !== undefined) write({ jsonrpc: '2.0', id: message.id, result });
      } catch (error) {
        write({ jsonrpc: '2.0', id: message.id, error: { code: -32603, message: error.message } });
      }
    };
    createInterface({ input: process.stdin }).on('line', (line) => void hear(JSON.parse(line)));
  },
};
fronts[speaks]();

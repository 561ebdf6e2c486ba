// Staffetta for opencode: a plugin without dependencies that tells the hook command what happens in a session, and gives the model what the
// command answers. `staffetta init` writes a file that calls it with the paths of this machine.
import { spawn } from 'node:child_process';

/** The command ends by itself within its budget; this is for a machine that stands still. */
const waitMs = 10_000;
const answerCharsMax = 20_000;

function contextIn(answer) {
  try {
    return String(JSON.parse(answer).context ?? '');
  } catch {
    return '';
  }
}

/** What the command says, or nothing: it must never be noticed by the agent at work. */
function call({ node, hook }, name, event) {
  return new Promise((resolve) => {
    let answer = '';
    const done = () => {
      clearTimeout(timer);
      resolve(contextIn(answer));
    };
    const timer = setTimeout(done, waitMs);
    timer.unref?.();
    try {
      const child = spawn(node, [hook, 'opencode', name], {
        cwd: event.cwd,
        stdio: ['pipe', 'pipe', 'ignore'],
        windowsHide: true,
      });
      child.on('error', done);
      child.on('close', done);
      child.stdin.on('error', () => undefined);
      child.stdout.on('data', (piece) => {
        if (answer.length < answerCharsMax) answer += String(piece);
      });
      child.stdin.end(JSON.stringify(event));
    } catch {
      done();
    }
  });
}

export function staffetta(paths) {
  return async ({ directory }) => {
    /** Sessions that this process has greeted, and what each model was told. */
    const said = new Map();
    /** Sessions that an agent started within another. */
    const inner = new Set();
    const windows = new Map();
    const limits = new Map();

    const tell = async (name, session, fields = {}) => {
      if (typeof session !== 'string' || inner.has(session)) return;
      const window = windows.get(session);
      const event = {
        session_id: session,
        cwd: directory,
        pid: process.pid,
        ...(window === undefined ? {} : { window }),
        ...fields,
      };
      const context = await call(paths, name, event);
      if (context !== '') said.set(session, [...(said.get(session) ?? []), context]);
    };
    const greeted = async (session) => {
      if (said.has(session)) return;
      said.set(session, []);
      await tell('session-start', session, { source: 'startup' });
    };

    return {
      event: async ({ event }) => {
        const { type, properties = {} } = event ?? {};
        const info = properties.info ?? {};
        if (type === 'session.created' && info.parentID) inner.add(info.id);
        if (type === 'session.idle') await tell('turn-end', properties.sessionID);
        if (type === 'session.deleted') await tell('session-end', info.id);
        if (type === 'message.updated' && info.role === 'assistant' && info.tokens) {
          const { input = 0, output = 0, cache = {} } = info.tokens;
          const max = limits.get(info.sessionID);
          const used = input + output + (cache.read ?? 0) + (cache.write ?? 0);
          if (max > 0 && used > 0) windows.set(info.sessionID, { used, max });
        }
      },
      'chat.message': async ({ sessionID }) => {
        await greeted(sessionID);
        await tell('prompt', sessionID);
      },
      'chat.params': async ({ sessionID, model }) => {
        limits.set(sessionID, model?.limit?.context ?? 0);
      },
      'tool.execute.after': async ({ sessionID, tool, args }, output) => {
        await tell('tool', sessionID, { tool_name: tool, tool_input: args ?? output?.metadata ?? {} });
      },
      'experimental.session.compacting': async ({ sessionID }) => {
        await tell('compaction', sessionID);
      },
      'experimental.chat.system.transform': async ({ sessionID }, output) => {
        for (const context of said.get(sessionID) ?? []) output.system.push(context);
      },
      'shell.env': async ({ sessionID }, output) => {
        if (sessionID) output.env.OPENCODE_SESSION_ID = sessionID;
      },
    };
  };
}

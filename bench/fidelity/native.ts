/** A made-up session as each of the four programs would have kept it, record by record. */
import type { RuntimeName } from '../../src/ports/runtime.ts';
import type { Action, MadeSession, Turn } from './session.ts';

const start = Date.UTC(2026, 2, 1);
const folder = '/home/dev/project';

type Writer = (session: MadeSession) => unknown[];

export const writers: Readonly<Record<RuntimeName, Writer>> = {
  'claude-code': claudeCode,
  codex,
  'gemini-cli': geminiCli,
  opencode,
};

export function nativeRecords(runtime: RuntimeName, session: MadeSession): Buffer[] {
  return writers[runtime](session).map((record) => Buffer.from(JSON.stringify(record)));
}

function timeOf(turn: number): string {
  return new Date(start + turn * 60_000).toISOString();
}

function pathOf(path: string): string {
  return `${folder}/${path}`;
}

function claudeCode({ turns }: MadeSession): unknown[] {
  const records: unknown[] = [];
  let parent: string | null = null;
  const add = (turn: number, type: 'user' | 'assistant', content: unknown): void => {
    const uuid = `00000000-0000-4000-8000-${String(records.length).padStart(12, '0')}`;
    const message = {
      role: type,
      content,
      ...(type === 'assistant' ? { id: `msg_${records.length}`, model: 'claude-opus-4-7' } : {}),
    };
    records.push({
      parentUuid: parent,
      type,
      uuid,
      timestamp: timeOf(turn),
      sessionId: 'made',
      cwd: folder,
      version: '2.1.325',
      message,
    });
    parent = uuid;
  };
  for (const [i, turn] of turns.entries()) {
    if (turn.by === 'user') {
      add(i, 'user', turn.text);
      continue;
    }
    const calls = turn.actions.map((action, n) => ({
      type: 'tool_use',
      id: `toolu_${i}_${n}`,
      name: action.kind === 'run' ? 'Bash' : 'Write',
      input:
        action.kind === 'run'
          ? { command: action.command }
          : { file_path: pathOf(action.path), content: action.content },
    }));
    add(i, 'assistant', [{ type: 'text', text: turn.text }, ...calls]);
    for (const [n, action] of turn.actions.entries())
      add(i, 'user', [
        {
          type: 'tool_result',
          tool_use_id: `toolu_${i}_${n}`,
          content: printed(action, 'Exit code '),
          is_error: failed(action),
        },
      ]);
  }
  return records;
}

function codex({ turns }: MadeSession): unknown[] {
  const records: unknown[] = [
    {
      timestamp: timeOf(0),
      type: 'session_meta',
      payload: { id: 'made', timestamp: timeOf(0), cwd: folder, originator: 'codex', cli_version: '0.166.0' },
    },
  ];
  const add = (turn: number, payload: unknown): void => {
    records.push({ timestamp: timeOf(turn), type: 'response_item', payload });
  };
  for (const [i, turn] of turns.entries()) {
    const type = turn.by === 'user' ? 'input_text' : 'output_text';
    add(i, {
      type: 'message',
      role: turn.by === 'user' ? 'user' : 'assistant',
      content: [{ type, text: turn.text }],
    });
    for (const [n, action] of turn.actions.entries()) {
      const call = `call_${i}_${n}`;
      if (action.kind === 'run') {
        add(i, {
          type: 'function_call',
          name: 'exec_command',
          arguments: JSON.stringify({ cmd: action.command }),
          call_id: call,
        });
        add(i, {
          type: 'function_call_output',
          call_id: call,
          output: `Process exited with code ${action.exit}\n${action.output}`,
        });
      } else {
        const patch = `*** Begin Patch\n*** Add File: ${action.path}\n${action.content
          .split('\n')
          .map((line) => `+${line}`)
          .join('\n')}\n*** End Patch`;
        add(i, {
          type: 'custom_tool_call',
          name: 'apply_patch',
          input: patch,
          call_id: call,
          status: 'completed',
        });
        add(i, { type: 'custom_tool_call_output', call_id: call, output: 'Success.' });
      }
    }
  }
  return records;
}

function geminiCli({ turns }: MadeSession): unknown[] {
  const header = {
    sessionId: 'made',
    projectHash: '0'.repeat(64),
    startTime: timeOf(0),
    lastUpdated: timeOf(0),
    kind: 'main',
  };
  return [
    header,
    ...turns.map((turn, i) =>
      turn.by === 'user'
        ? { id: `m${i}`, timestamp: timeOf(i), type: 'user', content: [{ text: turn.text }] }
        : {
            id: `m${i}`,
            timestamp: timeOf(i),
            type: 'gemini',
            content: turn.text,
            model: 'gemini-3-pro',
            toolCalls: geminiCalls(turn, i),
          },
    ),
  ];
}

function geminiCalls({ actions }: Turn, turn: number): unknown[] {
  return actions.map((action, n) => {
    const id = `t${turn}_${n}`;
    const name = action.kind === 'run' ? 'run_shell_command' : 'write_file';
    const args =
      action.kind === 'run'
        ? { command: action.command }
        : { file_path: pathOf(action.path), content: action.content };
    const output = failed(action) ? `Output: ${printed(action, '')}\nExit Code: 1` : printed(action, '');
    return {
      id,
      name,
      args,
      status: 'success',
      result: [{ functionResponse: { id, name, response: { output } } }],
    };
  });
}

function opencode({ turns }: MadeSession): unknown[] {
  const records: unknown[] = [
    {
      type: 'session',
      id: 'ses_made',
      data: { id: 'ses_made', directory: folder, title: 'made', version: '1.18.33' },
    },
  ];
  for (const [i, turn] of turns.entries()) {
    const message = `msg_${String(i).padStart(8, '0')}`;
    const part = (n: number): string => `prt_${String(i).padStart(8, '0')}_${n}`;
    const created = start + i * 60_000;
    records.push({
      type: 'message',
      id: message,
      created,
      data: { role: turn.by === 'user' ? 'user' : 'assistant', time: { created } },
    });
    records.push({ type: 'part', id: part(0), message, data: { type: 'text', text: turn.text } });
    for (const [n, action] of turn.actions.entries()) {
      const input =
        action.kind === 'run'
          ? { command: action.command }
          : { filePath: pathOf(action.path), content: action.content };
      const metadata = action.kind === 'run' ? { exit: action.exit } : {};
      const state = {
        status: 'completed',
        input,
        output: printed(action, ''),
        title: '',
        metadata,
        time: { start: created, end: created },
      };
      records.push({
        type: 'part',
        id: part(n + 1),
        message,
        data: {
          type: 'tool',
          callID: `call_${i}_${n}`,
          tool: action.kind === 'run' ? 'bash' : 'write',
          state,
        },
      });
    }
  }
  return records;
}

function failed(action: Action): boolean {
  return action.kind === 'run' && action.exit !== 0;
}

function printed(action: Action, lead: string): string {
  if (action.kind === 'edit') return 'Written.';
  return failed(action) && lead !== '' ? `${lead}${action.exit}\n${action.output}` : action.output;
}

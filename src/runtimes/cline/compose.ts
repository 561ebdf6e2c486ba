/** A transcript as a session of Cline: a message for each step, and one for the results of a step's calls; and what lies beside it. */
import type { JsonObject, Transcript } from '../../core/transcript/step.ts';
import { objectFrom } from '../../core/transcript/loose-json.ts';
import { newId } from '../new-id.ts';
import {
  composeLines,
  stepStamp,
  type ComposedLines,
  type SessionToWrite,
  type WrittenCall,
} from '../written-session.ts';
import { nativeCall } from './tools.ts';

/** With which the program itself was proven. */
const version = '3.0.65';

export interface ComposedSession extends ComposedLines {
  /** What lies beside the conversation. */
  readonly manifest: string;
}

export function compose(
  transcript: Transcript,
  { session, folder, now, random, path }: SessionToWrite & { readonly path: string },
): ComposedSession {
  const messages: JsonObject[] = [];
  const message = (
    role: 'user' | 'assistant',
    at: string,
    content: readonly JsonObject[],
    more: JsonObject = {},
  ): void => {
    messages.push({ id: newId(random(16)), role, content, ts: Date.parse(at), ...more });
  };
  const composed = composeLines(transcript, {
    nativeCall,
    user: (step) => message('user', stepStamp(step, now), [saidBy(step.text)]),
    summary: (step) =>
      message('user', stepStamp(step, now), [{ type: 'text', text: step.text }], {
        metadata: { displayRole: 'system' },
      }),
    agent: (step, calls) => {
      const at = stepStamp(step, now);
      const said = step.text === '' ? [] : [{ type: 'text', text: step.text }];
      const asked = calls.map(({ id, tool, args }) => ({ type: 'tool_use', id, name: tool, input: args }));
      message('assistant', at, [...said, ...asked]);
      if (calls.length > 0) message('user', at, calls.map(resultOf));
    },
  });
  const origin = { source: 'cli', mode: 'user', sessionId: session, version };
  const at = new Date(now).toISOString();
  const document = { version: 1, updated_at: at, agent: 'lead', sessionId: session, origin, messages };
  const title = firstLine(transcript);
  const manifest = {
    version: 1,
    session_id: session,
    source: 'cli',
    pid: 0,
    started_at: at,
    ended_at: at,
    exit_code: 0,
    status: 'completed',
    interactive: true,
    // It goes on with the provider that its own settings name.
    provider: 'cline',
    model: transcript.facts.model ?? 'unknown',
    cwd: folder,
    workspace_root: folder,
    enable_tools: true,
    enable_spawn: true,
    enable_teams: true,
    prompt: title,
    metadata: { title, sessionHistoryOrigin: { mode: 'user', version } },
    messages_path: path,
  };
  return {
    lines: [JSON.stringify(document, null, 2)],
    manifest: `${JSON.stringify(manifest, null, 2)}\n`,
    ...composed,
  };
}

export function saidBy(text: string): JsonObject {
  return { type: 'text', text: `<user_input mode="act">${text}</user_input>` };
}

/** A text that would be taken for the program's own record of how a call ended stands in a part of its own. */
function resultOf({ id, tool, text, failed }: WrittenCall): JsonObject {
  const isAmbiguous = objectFrom(text) !== null;
  return {
    type: 'tool_result',
    tool_use_id: id,
    name: tool,
    content: isAmbiguous ? [{ type: 'text', text }] : text,
    ...(failed ? { is_error: true } : {}),
  };
}

const titleMax = 100;

function firstLine({ steps, facts }: Transcript): string {
  const said = steps.find(({ source }) => source === 'user')?.text ?? facts.title ?? '';
  const line = said.trim().split('\n', 1)[0] ?? '';
  return line === '' ? 'Handed over' : line.slice(0, titleMax).toWellFormed();
}

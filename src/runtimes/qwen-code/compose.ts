/** A transcript as a session of Qwen Code: a record for each step, each naming the one before it, and one for the results of a step's calls. */
import { defined } from '../../core/base/defined.ts';
import type { Json, JsonObject, Step, Transcript } from '../../core/transcript/step.ts';
import { newId } from '../new-id.ts';
import {
  composeLines,
  stepStamp,
  type ComposedLines,
  type SessionToWrite,
  type WrittenCall,
} from '../written-session.ts';
import { guard, needsGuard } from './read/record.ts';
import { nativeCall } from './tools.ts';

/** With which the program itself was proven. */
const version = '0.24.4';
const thanks = 'Got it. Thanks for the additional context!';

export function compose(transcript: Transcript, options: SessionToWrite): ComposedLines {
  const lines: string[] = [];
  let parent: string | null = null;
  const record = (type: string, step: Step, fields: JsonObject): void => {
    const uuid = newId(options.random(16));
    const written: Json = {
      uuid,
      parentUuid: parent,
      sessionId: options.session,
      timestamp: stepStamp(step, options.now),
      type,
      cwd: options.folder,
      version,
      ...fields,
    };
    lines.push(JSON.stringify(written));
    parent = uuid;
  };
  const composed = composeLines(transcript, {
    nativeCall,
    user: (step) => {
      const parts = needsGuard(step.text) ? [{ text: guard }, { text: step.text }] : [{ text: step.text }];
      record('user', step, { provenance: 'real_user', message: { role: 'user', parts } });
    },
    // A record of a compaction, as the program has it.
    summary: (step) => {
      const compressedHistory = [
        { role: 'user', parts: [{ text: step.text }] },
        { role: 'model', parts: [{ text: thanks }] },
      ];
      const info = { originalTokenCount: 0, newTokenCount: 0, compressionStatus: 1, triggerReason: 'manual' };
      const systemPayload = { info, compressedHistory };
      record('system', step, { provenance: 'system', subtype: 'chat_compression', systemPayload });
    },
    agent: (step, calls) => {
      const said = step.text === '' ? [] : [{ text: step.text }];
      const parts = [
        ...said,
        ...calls.map(({ id, tool, args }) => ({ functionCall: { id, name: tool, args } })),
      ];
      record('assistant', step, {
        provenance: 'assistant_output',
        ...defined({ model: step.model }),
        message: { role: 'model', parts },
      });
      if (calls.length === 0) return;
      const message = { role: 'user', parts: calls.map(responseOf) };
      record('tool_result', step, { provenance: 'tool_result', message });
    },
  });
  return { lines, ...composed };
}

function responseOf({ id, tool, text, failed }: WrittenCall): JsonObject {
  return { functionResponse: { id, name: tool, response: failed ? { error: text } : { output: text } } };
}

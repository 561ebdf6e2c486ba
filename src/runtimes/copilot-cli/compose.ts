/**
 * A transcript as a session of Copilot CLI: its start, and an event for each step, each naming the one before it. Results of calls are events
 * of their own. The program tells its model exactly these words.
 */
import type { Json, JsonObject, Transcript } from '../../core/transcript/step.ts';
import { newId } from '../new-id.ts';
import { composeLines, stepStamp, type ComposedLines, type SessionToWrite } from '../written-session.ts';
import { nativeCall } from './tools.ts';

/** With which the program itself was proven. */
const copilotVersion = '1.0.102';

export function compose(transcript: Transcript, options: SessionToWrite): ComposedLines {
  const { session, folder, now, random } = options;
  const lines: string[] = [];
  let parentId: string | null = null;
  const event = (type: string, timestamp: string, data: JsonObject): void => {
    const id = newId(random(16));
    const written: Json = { type, data, id, timestamp, parentId };
    // Some of its versions take these for the end of a line.
    lines.push(
      JSON.stringify(written).replaceAll(/[\u2028\u2029]/g, (end) =>
        end === '\u2028' ? '\\u2028' : '\\u2029',
      ),
    );
    parentId = id;
  };
  const startTime = new Date(now).toISOString();
  event('session.start', startTime, {
    sessionId: session,
    version: 1,
    producer: 'staffetta',
    copilotVersion,
    startTime,
    context: { cwd: folder },
  });
  const composed = composeLines(transcript, {
    nativeCall,
    user: (step) => event('user.message', stepStamp(step, now), { content: step.text }),
    summary: (step) =>
      event('session.compaction_complete', stepStamp(step, now), {
        success: true,
        summaryContent: step.text,
      }),
    agent: (step, calls) => {
      const at = stepStamp(step, now);
      const toolRequests = calls.map(({ id, tool, args }) => ({
        toolCallId: id,
        name: tool,
        arguments: args,
        type: 'function',
      }));
      event('assistant.message', at, { messageId: newId(random(16)), content: step.text, toolRequests });
      for (const { id, text, failed } of calls)
        event('tool.execution_complete', at, {
          toolCallId: id,
          success: !failed,
          ...(failed ? { error: { message: text } } : { result: { content: text } }),
        });
    },
  });
  return { lines, ...composed };
}

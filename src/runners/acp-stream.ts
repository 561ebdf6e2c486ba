/**
 * The messages of a program that speaks the Agent Client Protocol, as its library takes them. The library ends the connection at a line
 * that is too long, and writes on our terminal what it does not understand: none of that gets to it.
 */
import type { Stream } from '@agentclientprotocol/sdk';
import type { AgentProgram } from './agent-program.ts';
import { objectIn } from './bounded-lines.ts';

type Message = Stream extends { readable: ReadableStream<infer Any> } ? Any : never;

export function acpStream(agent: AgentProgram, garbage: () => void): Stream {
  /** Of requests that wait for their response. */
  const waiting = new Set<unknown>();
  async function* messages(): AsyncGenerator<Message> {
    for await (const line of agent.lines) {
      const message = objectIn(line);
      if (message !== undefined && isFit(message, waiting)) yield message as Message;
      else garbage();
    }
  }
  return {
    readable: ReadableStream.from(messages()),
    writable: new WritableStream<Message>({
      write(message) {
        if ('method' in message && 'id' in message) waiting.add(message.id);
        agent.write(`${JSON.stringify(message)}\n`);
      },
    }),
  };
}

/** A request, a notification, or the response to a request of ours. */
function isFit(message: Readonly<Record<string, unknown>>, waiting: Set<unknown>): boolean {
  if (message['jsonrpc'] !== '2.0') return false;
  const { id, method, error } = message;
  if (method !== undefined)
    return (
      typeof method === 'string' && (id === undefined || typeof id === 'string' || typeof id === 'number')
    );
  const hasFailed = 'error' in message;
  if (hasFailed === 'result' in message || (hasFailed && !isError(error))) return false;
  return waiting.delete(id);
}

function isError(error: unknown): boolean {
  if (typeof error !== 'object' || error === null) return false;
  const { code, message } = error as Readonly<Record<string, unknown>>;
  return Number.isInteger(code) && typeof message === 'string';
}

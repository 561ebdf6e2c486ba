/**
 * Commands in an answer, as they can be run where the server runs: an agent that was set up without a `staffetta` on its path would
 * otherwise be sent to one that is not there. Only our own words are touched: what stands in a fence is the word of others.
 */
import type { CallToolResult } from '@modelcontextprotocol/server';
import { runnable } from './next-calls.ts';

export function inRunnableWords(result: CallToolResult, command: string): CallToolResult {
  if (command === 'staffetta') return result;
  const { content, structuredContent } = result;
  return {
    ...result,
    content: content.map((part) =>
      part.type === 'text' ? { ...part, text: outsideFences(part.text, command) } : part,
    ),
    ...(structuredContent === undefined ? {} : { structuredContent: ownFields(structuredContent, command) }),
  };
}

function outsideFences(text: string, command: string): string {
  let fence = '';
  return text
    .split('\n')
    .map((line) => {
      const [mark = ''] = /^`{3,}/.exec(line) ?? [];
      if (fence === '' && mark !== '') fence = mark;
      else if (fence !== '' && line.trimEnd() === fence) fence = '';
      else if (fence === '') return runnable(line, command);
      return line;
    })
    .join('\n');
}

/** Fields that only we write. */
const own: ReadonlySet<string> = new Set(['hint', 'next', 'fix', 'missing', 'approve']);

function ownFields(value: unknown, command: string): unknown {
  if (Array.isArray(value)) return value.map((one) => ownFields(one, command));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [
      name,
      own.has(name) ? runnableIn(inner, command) : ownFields(inner, command),
    ]),
  );
}

function runnableIn(value: unknown, command: string): unknown {
  if (typeof value === 'string') return runnable(value, command);
  return Array.isArray(value) ? value.map((one) => runnableIn(one, command)) : value;
}

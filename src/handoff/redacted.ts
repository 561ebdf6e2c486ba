import type { Command, CommandType } from '../core/command.ts';
import type { Redactor } from '../core/redact/redactor.ts';

/** Commands in which nobody's words stand. */
const wordless: ReadonlySet<CommandType> = new Set([
  'accept',
  'expire',
  'intend-effect',
  'lapse',
  'need-met',
  'read-messages',
]);

/** A command as it may be recorded: what its texts held of secrets is taken out. */
export async function redactedCommand(redactor: () => Promise<Redactor>, command: Command): Promise<Command> {
  return wordless.has(command.type) ? command : await redactedTexts(await redactor(), command);
}

/**
 * Every string of a value, each judged by itself: our own field names (`key`, `token`) are no assignment in somebody's text.
 * The value itself is answered if there was nothing to take out.
 */
export async function redactedTexts<T>(redactor: Redactor, value: T): Promise<T> {
  const texts: string[] = [];
  visit(value, (text) => {
    texts.push(text);
    return text;
  });
  const { value: redacted, redactions } = await redactor.json(texts);
  if (redactions.findings.length === 0) return value;
  let next = 0;
  return visit(value, (text) => redacted[next++] ?? text) as T;
}

function visit(value: unknown, each: (text: string) => string): unknown {
  if (typeof value === 'string') return each(value);
  if (Array.isArray(value)) return value.map((item) => visit(item, each));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, visit(item, each)]));
}

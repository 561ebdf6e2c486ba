import type { Actor } from '../../core/task/actor.ts';
import type { Command, CommandType } from '../../core/task/command.ts';
import { StaffettaError } from '../../core/base/error.ts';
import { isDigest } from '../../core/journal/digest.ts';
import type { Redactor } from '../../core/redact/redactor.ts';

/** Commands in which nobody's words stand. */
const wordless: ReadonlySet<CommandType> = new Set([
  'accept',
  'expire',
  'lapse',
  'need-met',
  'read-messages',
]);

/** Fields by which things are found again. They cannot be redacted: one that holds a secret is refused. */
const identifying: ReadonlySet<string> = new Set([
  'effect',
  'to',
  'from',
  'owner',
  'phase',
  'onto',
  'source',
  'program',
]);
/** Fields that hold nobody's words. */
const machineMade: ReadonlySet<string> = new Set([
  'type',
  'token',
  'lane',
  'contract',
  'packet',
  'workspace',
  'certification',
  'commit',
  'tree',
]);

/** Texts in which the redactor of the context found nothing a moment ago. */
export type CleanTexts = ReadonlySet<string>;

/** A command as it may be recorded: what its texts held of secrets is taken out. */
export async function redactedCommand(
  redactor: () => Promise<Redactor>,
  command: Command,
  clean: CleanTexts = new Set(),
): Promise<Command> {
  if (wordless.has(command.type) || isClean(command, clean)) return command;
  const known = await redactor();
  const names: string[] = [];
  const texts: string[] = [];
  collect(command, { names, texts });
  // Together, since there is nearly never anything; where there is, it matters what it stands in.
  const { redactions } = await known.json([...names, ...texts]);
  if (redactions.findings.length === 0) return command;
  await refuseSecretNames(known, names);
  return await redactedTexts(known, command);
}

/** Who speaks, and under which key: stored as they are. */
export async function refuseSecretCaller(
  redactor: () => Promise<Redactor>,
  call: { readonly by: Actor; readonly key?: string },
  clean: CleanTexts = new Set(),
): Promise<void> {
  const names = callerNames(call).filter((name) => !clean.has(name));
  if (names.length > 0) await refuseSecretNames(await redactor(), names);
}

export function callerNames({ by, key }: { readonly by: Actor; readonly key?: string }): string[] {
  const { name, session, lineage = [] } = by;
  return [name, session, key, ...lineage].filter((word): word is string => word !== undefined);
}

/** Every string of a value that may be somebody's words. */
export function textsIn(value: unknown, name = ''): string[] {
  if (typeof value === 'string') return machineMade.has(name) || isDigest(value) ? [] : [value];
  if (Array.isArray(value)) return value.flatMap((item) => textsIn(item, name));
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([field, item]) => textsIn(item, field));
}

export function isClean(value: unknown, clean: CleanTexts): boolean {
  return clean.size > 0 && textsIn(value).every((text) => clean.has(text));
}

/** Actors are few, and come again with every entry. */
const cleanNames = new WeakMap<Redactor, Set<string>>();
const cleanNamesMax = 1000;

async function refuseSecretNames(redactor: Redactor, names: readonly string[]): Promise<void> {
  const known = cleanNames.get(redactor) ?? new Set();
  const fresh = names.filter((name) => !known.has(name));
  if (fresh.length === 0) return;
  const { redactions } = await redactor.json(fresh);
  const [found] = redactions.findings;
  if (found === undefined) {
    if (known.size + fresh.length > cleanNamesMax) known.clear();
    for (const name of fresh) known.add(name);
    cleanNames.set(redactor, known);
    return;
  }
  throw new StaffettaError(
    'invalid-input',
    `A name or key holds what looks like a secret (${found.rule}). Names are stored as they are.`,
    { details: { rule: found.rule }, hint: 'Choose another name. If the secret is real, change it.' },
  );
}

/**
 * Every string of a value, each judged by itself: our own field names (`key`, `token`) are no assignment in somebody's text. What is
 * recognised in one is taken out of all. The value itself is answered if there was nothing to take out.
 */
export async function redactedTexts<T>(redactor: Redactor, value: T): Promise<T> {
  const texts: string[] = [];
  collect(value, { names: [], texts });
  const { value: redacted, redactions } = await redactor.json(texts);
  if (redactions.findings.length === 0) return value;
  let next = 0;
  return visit(value, (text) => redacted[next++] ?? text) as T;
}

interface Strings {
  readonly names: string[];
  readonly texts: string[];
}

function collect(value: unknown, into: Strings, name = ''): void {
  if (typeof value === 'string') {
    if (identifying.has(name)) into.names.push(value);
    else if (!machineMade.has(name)) into.texts.push(value);
  } else if (Array.isArray(value)) {
    for (const item of value) collect(item, into, name);
  } else if (typeof value === 'object' && value !== null) {
    for (const [field, item] of Object.entries(value)) collect(item, into, field);
  }
}

function visit(value: unknown, each: (text: string) => string, name = ''): unknown {
  if (typeof value === 'string') return machineMade.has(name) || identifying.has(name) ? value : each(value);
  if (Array.isArray(value)) return value.map((item) => visit(item, each, name));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([field, item]) => [field, visit(item, each, field)]));
}

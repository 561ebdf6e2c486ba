import { defined } from '../../core/base/defined.ts';
import { parseArgs } from 'node:util';
import { programMeant, runtimeNames } from '../../core/resume/runtime-names.ts';
import { isTaskId } from '../../core/journal/id.ts';
import { commands, findCommand } from './commands.ts';
import {
  globalOptions,
  type ArgumentSpec,
  type CommandSpec,
  type Invocation,
  type OptionSpec,
  type Values,
} from './spec.ts';
import { suggest } from '../../core/base/suggest.ts';
import { UsageError } from './usage.ts';

export interface Parsed {
  readonly values: Values;
  /** Absent for a bare call, `--help` and `--version`. */
  readonly invocation: Invocation | undefined;
}

type Options = Readonly<Record<string, OptionSpec>>;

/** Words to an invocation. Options may stand before or after the command; `--` ends them. */
export function parseCommandLine(words: readonly string[]): Parsed {
  const at = commandIndex(words);
  if (at === undefined) {
    const { values } = parseWords(words, { ...globalOptions, all: everyCommand }, undefined);
    refuseStrayAll(values);
    return { values, invocation: undefined };
  }
  const name = words[at] ?? '';
  const rest = [...words.slice(0, at), ...words.slice(at + 1)];
  if (name === 'help') return helpFor(rest);
  const command = findCommand(name);
  if (command === undefined) throw unknownCommand(name, words[at + 1]);
  const { values, positionals } = parseWords(rest, { ...globalOptions, ...command.options }, command);
  if (values['help'] === true) return { values, invocation: { command, positionals: [], values } };
  return { values, invocation: { command, positionals: placed(command, positionals), values } };
}

const everyCommand: OptionSpec = { type: 'boolean', help: 'With --help: every command' };

function refuseStrayAll(values: Values): void {
  if (values['all'] === true && values['help'] !== true)
    throw new UsageError('--all has a meaning with --help only.', 'All tasks: staffetta ls --all');
}

/** `help`, or `help COMMAND`: the same as --help. */
function helpFor(words: readonly string[]): Parsed {
  const { values: given, positionals } = parseWords(
    words,
    { ...globalOptions, all: everyCommand },
    undefined,
  );
  const values = { ...given, help: true };
  const [name] = positionals;
  if (name === undefined) return { values, invocation: undefined };
  const command = findCommand(name);
  if (command === undefined) throw unknownCommand(name);
  return { values, invocation: { command, positionals: [], values } };
}

function commandIndex(words: readonly string[]): number | undefined {
  for (let i = 0; i < words.length; i += 1) {
    const word = words[i] ?? '';
    if (word === '--') return i + 1 < words.length ? i + 1 : undefined;
    if (!word.startsWith('-') || word === '-') return i;
    const option = globalOptions[word.slice(2)];
    if (option?.type === 'string') i += 1;
  }
  return undefined;
}

/** What other tools call the same thing. */
const otherNames: Readonly<Record<string, string>> = {
  list: 'ls',
  status: 'ls',
  new: 'open',
  add: 'open',
  create: 'open',
  start: 'open',
  claim: 'take',
  accept: 'take',
  next: 'take',
  switch: 'resume --in PROGRAM',
  go: 'resume --in PROGRAM',
  answer: 'inbox',
  questions: 'inbox',
  pass: 'handoff',
  give: 'handoff',
  handover: 'handoff',
  finish: 'complete',
  done: 'complete',
  close: 'complete',
  approve: 'review',
  story: 'history',
  transcript: 'history',
  message: 'tell',
  messages: 'read',
  gc: 'sweep',
  check: 'lint',
  test: 'validate',
  phases: 'phase',
  redrive: 'dead',
  fsck: 'verify',
  heartbeat: 'renew',
};

function unknownCommand(name: string, next = ''): UsageError {
  const known = commands.map((command) => command.name);
  const program = programMeant(name);
  const meant =
    (Object.hasOwn(otherNames, name) ? otherNames[name] : undefined) ??
    (program === undefined ? suggest(name, known) : `resume --in ${program}`);
  const near = meant?.replace('PROGRAM', programMeant(next) ?? 'PROGRAM');
  return new UsageError(
    `There is no command ${JSON.stringify(name)}.`,
    near === undefined ? 'See: staffetta --help' : `Did you mean: staffetta ${near}`,
  );
}

interface Words {
  readonly values: Values;
  readonly positionals: readonly string[];
  readonly tokens: readonly { readonly kind: string; readonly name?: string }[];
}

function parseWords(words: readonly string[], options: Options, command: CommandSpec | undefined): Words {
  const parserOptions = Object.fromEntries(
    Object.entries(options).map(([name, option]) => [
      name,
      {
        type: option.type,
        multiple: option.multiple ?? false,
        ...defined({ short: option.short }),
      },
    ]),
  );
  let parsed: Words;
  try {
    parsed = parseArgs({
      args: withAlone(options, spelledAs(options, words)),
      options: parserOptions,
      allowPositionals: true,
      tokens: true,
    }) as Words;
  } catch (error) {
    throw usageFrom(error as Error & { code?: string }, options, command);
  }
  const values = Object.fromEntries(
    Object.entries(parsed.values).map(([name, value]) => [name, meantBy(value, options[name])]),
  );
  for (const [name, value] of Object.entries(values)) checkValue(name, value, options[name]);
  refuseRepeated(parsed, command);
  return { ...parsed, values };
}

/** Options by a second name: a reason is a reason, and fields are called as in a file with a contract. */
const secondNames: Readonly<Record<string, string>> = {
  reason: 'why',
  acceptance: 'accept',
  constraints: 'constraint',
  'non-goals': 'non-goal',
  validation: 'validate',
  needs: 'need',
  phases: 'phase',
  redrive: 'again',
};

/** Only where the command has the first name and not the second; what stands after -- is text. */
function spelledAs(options: Options, words: readonly string[]): string[] {
  const end = words.indexOf('--');
  return words.map((word, at) => {
    const [, name = '', value = ''] = /^--([a-z-]+)(=.*)?$/s.exec(word) ?? [];
    const first = Object.hasOwn(secondNames, name) ? secondNames[name] : undefined;
    const isOption = end === -1 || at < end;
    return isOption && first !== undefined && options[name] === undefined && options[first] !== undefined
      ? `--${first}${value}`
      : word;
  });
}

/** An option whose value may be left out, with the value that it has then. */
function withAlone(options: Options, words: readonly string[]): string[] {
  const end = words.indexOf('--');
  return words.map((word, at) => {
    const alone = word.startsWith('--') ? options[word.slice(2)]?.alone : undefined;
    const isOption = end === -1 || at < end;
    const isLast = words[at + 1]?.startsWith('-') ?? true;
    return isOption && alone !== undefined && isLast ? `${word}=${alone}` : word;
  });
}

function usageFrom(
  error: Error & { code?: string },
  options: Options,
  command: CommandSpec | undefined,
): unknown {
  if (error.code?.startsWith('ERR_PARSE_ARGS') !== true) return error;
  const help = `See: staffetta ${command === undefined ? '' : `${command.name} `}--help`;
  const [, dashes = '', name = ''] = /'(-{1,2})([^' =]+)/.exec(error.message) ?? [];
  const option = `${dashes}${name}`;
  if (error.code === 'ERR_PARSE_ARGS_UNKNOWN_OPTION') return unknownOption(dashes, name, options, command);
  if (/does not take an argument/.test(error.message))
    return new UsageError(`${option} takes no value.`, help);
  if (/ambiguous/.test(error.message))
    return new UsageError(
      `${option} needs a value.`,
      `If it starts with a dash, write ${option}=VALUE. ${help}`,
    );
  return new UsageError(`${option} needs a value.`, help);
}

function unknownOption(
  dashes: string,
  name: string,
  options: Options,
  command: CommandSpec | undefined,
): UsageError {
  const near = dashes === '--' ? suggest(name, Object.keys(options)) : undefined;
  const takesText = command?.arguments?.some((argument) => argument.optional !== true) === true;
  const hints = [
    near === undefined ? '' : `Did you mean --${near}?`,
    takesText && near === undefined ? 'A text that starts with a dash goes at the end, after --.' : '',
    `See: staffetta ${command === undefined ? '' : `${command.name} `}--help`,
  ];
  return new UsageError(
    `There is no option ${dashes}${name}.`,
    hints.filter((hint) => hint !== '').join(' '),
  );
}

/** A program may be named as people call it. */
function meantBy(value: Values[string], option: OptionSpec | undefined): Values[string] {
  return option?.choices === runtimeNames && typeof value === 'string'
    ? (programMeant(value) ?? value)
    : value;
}

function checkValue(name: string, value: Values[string], option: OptionSpec | undefined): void {
  const given =
    typeof value === 'string' ? [value] : Array.isArray(value) ? (value as readonly string[]) : [];
  // An empty value is most often a variable that was not set.
  if (given.some((one) => one.trim() === '')) throw new UsageError(`--${name} is empty.`);
  if (!namesFile(option?.value)) for (const one of given) refuseBroken(`--${name}`, one);
  const wrong =
    option?.choices === undefined ? undefined : given.find((one) => !option.choices?.includes(one));
  if (wrong === undefined) return;
  const near = suggest(wrong, option?.choices ?? []);
  throw new UsageError(
    `--${name} takes one of ${option?.choices?.join(', ') ?? ''}, not ${JSON.stringify(wrong)}.`,
    near === undefined ? undefined : `Did you mean: --${name} ${near}`,
  );
}

/** File names are looked up and refused by the disk; whatever else is said may be stored for good. */
function namesFile(placeholder: string | undefined): boolean {
  return placeholder === 'FILE' || placeholder === 'URL';
}

/** Bytes that are not UTF-8 reach us as U+FFFD: what was meant is lost, and must not be stored as if it had been said. */
function refuseBroken(what: string, given: unknown): void {
  if (typeof given !== 'string' || !given.includes('\ufffd')) return;
  throw new UsageError(
    `${what} holds bytes that are not UTF-8.`,
    'Convert the text to UTF-8 first, or set your terminal to it.',
  );
}

/** A second --next would silently replace the first. The options of every command may be repeated: aliases bring theirs along. */
function refuseRepeated({ tokens }: Words, command: CommandSpec | undefined): void {
  const seen = new Set<string>();
  for (const { kind, name = '' } of tokens) {
    const option = kind === 'option' ? command?.options?.[name] : undefined;
    if (option === undefined || option.multiple === true || option.type === 'boolean') continue;
    if (seen.has(name)) throw new UsageError(`--${name} can be given only once.`);
    seen.add(name);
  }
}

/** Positionals in their places. A leading TASK may be left out: the task you hold is meant. */
function placed(command: CommandSpec, positionals: readonly string[]): readonly string[] {
  const wanted = command.arguments ?? [];
  const help = `See: staffetta ${command.name} --help`;
  if (positionals.length > wanted.length && wanted.at(-1)?.repeats !== true) {
    const extra = positionals.slice(wanted.length).join(' ');
    throw new UsageError(
      `Too many words: ${JSON.stringify(extra)}.`,
      wanted.length === 0 ? help : 'Put a text with spaces in quotes, and options before --.',
    );
  }
  const required = wanted.filter((argument) => argument.optional !== true);
  // One that is there but empty is most often a variable that was not set: never take it for "the task I hold".
  const empty = positionals.findIndex((word) => word.trim() === '');
  const isShort = positionals.length < wanted.length && (required.length > 0 || positionals.length === 0);
  const leading = isShort && wanted[0]?.optional === true ? 1 : 0;
  if (empty !== -1) throw new UsageError(`${wanted[empty + leading]?.name ?? 'A word'} is empty.`, help);
  positionals.forEach((word, at) => {
    const argument = wanted[at + leading];
    if (!namesFile(argument?.name)) refuseBroken(argument?.name ?? 'A word', word);
  });
  const [only = ''] = positionals;
  const lacksText =
    positionals.length === 1 && wanted.length === 2 && required.length === 1 && isTaskId(only);
  if (positionals.length < required.length || lacksText) {
    throw new UsageError(
      `${command.name} needs ${required.map((argument) => argument.name).join(' and ')}${lacksText ? ' besides the task' : ''}.`,
      `${help}. E.g. ${command.examples[0] ?? ''}`,
    );
  }
  const words = leading === 1 || isTaskAlone(wanted[0], positionals) ? ['', ...positionals] : positionals;
  wanted.forEach((argument, i) => checkArgument(argument, words[i] ?? ''));
  return words;
}

/** A choice that may be left out is, where a task stands in its place: `phase t4k9`. Ids have a digit nearly always; names of phases that begin so are rare. */
function isTaskAlone(first: ArgumentSpec | undefined, [only = '', ...more]: readonly string[]): boolean {
  return (
    first?.choices !== undefined &&
    first.optional === true &&
    more.length === 0 &&
    /^t[a-z]*\d[0-9a-z]*$/.test(only) &&
    only.length >= 4
  );
}

function checkArgument({ name, choices }: ArgumentSpec, word: string): void {
  if (choices === undefined || word === '' || choices.includes(word)) return;
  const near = suggest(word, choices);
  throw new UsageError(
    `${name} is one of ${choices.join(', ')}, not ${JSON.stringify(word)}.`,
    near === undefined ? undefined : `Did you mean: ${near}`,
  );
}

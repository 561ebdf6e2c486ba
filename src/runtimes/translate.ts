/**
 * A call of one program as a call of another's own tool that does the same, so that a model goes on with the tools it is offered. Each program
 * says of its own tools what their arguments mean (`agent.ts`); nothing is made up, and what has no place in the other tool is named.
 */
import { joinCommand } from '../core/base/command-line.ts';
import { programs } from '../core/resume/runtime-names.ts';
import { severalRuntimes } from '../core/transcript/one-history.ts';
import type { ToolCall, Json, JsonObject } from '../core/transcript/step.ts';
import type { Meaning, ToolForm } from './agent.ts';

export interface Translated {
  readonly tool: string;
  readonly args: JsonObject;
  /** Arguments that are not in it, by the names they had. */
  readonly left: readonly string[];
  /** Of these, those that say what the call does, and not how it is waited for. */
  readonly lost: readonly string[];
}

const needs: Readonly<Record<ToolForm['does'], readonly Meaning[]>> = {
  shell: ['command'],
  read: ['file'],
  write: ['file', 'content'],
  edit: ['file', 'before', 'after'],
};

/** Null where nothing is known that does the same, and for a call that is one of these tools already. */
export function translateCall(
  { tool, args, raw }: Pick<ToolCall, 'tool' | 'args' | 'raw'>,
  runtime: string,
  own: readonly ToolForm[],
): Translated | null {
  if (raw !== undefined) return null;
  // Where calls of several are mixed, they are known by their names, and by whether their arguments fit.
  const known = programs.filter(({ name }) => runtime === severalRuntimes || runtime === name);
  const read = known
    .flatMap(({ tools }) => tools)
    .filter((form) => form.tool === tool)
    .flatMap((form) => readAs(form, args) ?? [])
    .toSorted((a, b) => a.rest.length - b.rest.length)[0];
  const target = own.find(({ does }) => does === read?.form.does);
  if (read === undefined || target === undefined || isOwn(read.form, target)) return null;
  const written: [string, Json][] = [];
  const left = [...read.rest];
  for (const [meaning, { name, value }] of read.meant) {
    const names = target.args[meaning];
    if (names === undefined) left.push(name);
    else
      written.push([
        [names].flat()[0] ?? meaning,
        target.listed?.includes(meaning) === true ? [value] : value,
      ]);
  }
  // Said to people, and no part of what is done.
  const described = read.meant.get('description')?.name;
  return {
    tool: target.tool,
    args: Object.fromEntries(written),
    left,
    lost: left.filter((name) => read.form.waits?.includes(name) !== true && name !== described),
  };
}

function isOwn(form: ToolForm, target: ToolForm): boolean {
  return form.tool === target.tool && JSON.stringify(form.args) === JSON.stringify(target.args);
}

interface Read {
  readonly form: ToolForm;
  readonly meant: ReadonlyMap<Meaning, { readonly name: string; readonly value: Json }>;
  /** Arguments of which it is not known what they mean. */
  readonly rest: readonly string[];
}

function readAs(form: ToolForm, args: JsonObject): Read | null {
  const meant = new Map<Meaning, { name: string; value: Json }>();
  for (const [meaning, names] of Object.entries(form.args) as [Meaning, string | readonly string[]][]) {
    const name = [names].flat().find((one) => Object.hasOwn(args, one));
    const value = name === undefined ? undefined : args[name];
    if (name === undefined || value === undefined || value === null) continue;
    const told = form.listed?.includes(meaning) === true ? listedText(value) : value;
    meant.set(meaning, { name, value: meaning === 'command' ? commandText(told) : told });
  }
  if (!needs[form.does].every((meaning) => typeof meant.get(meaning)?.value === 'string')) return null;
  const used = new Set([...meant.values()].map(({ name }) => name));
  return { form, meant, rest: Object.keys(args).filter((name) => !used.has(name)) };
}

/** Several, one after the other, are one text with a line for each. */
function listedText(value: Json): Json {
  const isTexts = Array.isArray(value) && value.length > 0 && value.every((one) => typeof one === 'string');
  return isTexts ? value.join('\n') : value;
}

/** Some give a command as a list of words: the shell's own `-c` is unwrapped, other words are quoted where they must be. */
function commandText(value: Json): Json {
  if (!Array.isArray(value) || !value.every((word) => typeof word === 'string')) return value;
  const words: readonly string[] = value;
  const [program = '', option = '', script] = words;
  if (
    words.length === 3 &&
    script !== undefined &&
    /(^|\/)(ba|z|da)?sh$/.test(program) &&
    /^-l?c$/.test(option)
  )
    return script;
  return joinCommand(words);
}

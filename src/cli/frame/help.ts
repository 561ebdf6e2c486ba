import { commands } from './commands.ts';
import type { Output, Paint } from './output.ts';
import { globalOptions, placeholderOf, type CommandSpec, type OptionSpec } from './spec.ts';
import { pad, wrap } from './width.ts';

const exitCodes =
  'Exit codes: 0 ok, 1 failed, 2 usage, 3 not found, 4 denied, 5 conflict or lease lost, 6 findings, 7 awaiting review, 8 pending, 9 integrity, 130 interrupted';

/** Help is made from the specs; as JSON it is the specs. */
export function showHelp(
  command: CommandSpec | undefined,
  output: Output,
  { all = false }: { readonly all?: boolean } = {},
): void {
  const width = Math.min(output.width, 80);
  if (command === undefined) {
    output.data({ commands: commands.map(asData), options: globalOptions }, () =>
      all ? generalHelp(output.paint, width) : shortHelp(output.paint, width),
    );
  } else {
    output.data({ ...asData(command), globalOptions }, () => commandHelp(command, output.paint, width));
  }
}

function asData(command: CommandSpec): Record<string, unknown> {
  return { ...command, load: undefined, usage: usageOf(command) };
}

/** What most users need, in the order in which they need it. */
const usual: Readonly<Record<string, readonly string[]>> = {
  Continue: ['resume', 'handoff', 'pause', 'send', 'fetch'],
  Work: ['open', 'take', 'complete', 'run'],
  Look: ['inbox', 'show', 'review', 'up'],
  'Set up': ['init', 'doctor'],
};

function shortHelp(paint: Paint, width: number): string {
  const left = Math.max(...Object.values(usual).flatMap((names) => names.map((name) => name.length))) + 2;
  const sections = Object.entries(usual).map(([title, names]) => {
    const rows = commands
      .filter(({ name }) => names.includes(name))
      .toSorted((a, b) => names.indexOf(a.name) - names.indexOf(b.name))
      .map(({ name, summary }) => [`  ${name}`, summary] as const);
    return `${paint.bold(title)}\n${twoColumns(rows, width, left)}`;
  });
  return [
    opening(paint, width),
    ...sections,
    [
      'More about a command: staffetta COMMAND --help',
      'All commands and common options: staffetta --help --all',
    ].join('\n'),
  ].join('\n\n');
}

function opening(paint: Paint, width: number): string {
  const nothing = 'nothing lost, nothing done twice, everything on record.';
  return [
    wrap(`staffetta moves work from one AI agent to the next: ${nothing}`, width),
    `${paint.bold('Usage')}\n  staffetta [COMMAND] [OPTIONS]\n  ${wrap('staffetta alone says where you are and what to do next.', width - 2, '  ')}`,
  ].join('\n\n');
}

function generalHelp(paint: Paint, width: number): string {
  const groups = [...new Set(commands.map((command) => command.group))];
  const sections = groups.map((group) => {
    const rows = commands
      .filter((command) => command.group === group)
      .map((command) => [`  ${command.name}`, command.summary] as const);
    return `${paint.bold(group)}\n${twoColumns(rows, width, nameWidth)}`;
  });
  return [
    opening(paint, width),
    ...sections,
    `${paint.bold('Options of every command')}\n${optionLines(globalOptions, width)}`,
    `More about a command: staffetta COMMAND --help\n${wrap(exitCodes, width)}`,
  ].join('\n\n');
}

const nameWidth = Math.max(...commands.map((command) => command.name.length)) + 2;

function usageOf(command: CommandSpec): string {
  const words = (command.arguments ?? []).map(({ name, optional, repeats }) => {
    const word = repeats === true ? `${name}…` : name;
    return optional === true ? `[${word}]` : word;
  });
  return ['staffetta', command.name, ...words, '[OPTIONS]'].join(' ');
}

function commandHelp(command: CommandSpec, paint: Paint, width: number): string {
  const named = (command.arguments ?? []).map(
    ({ name, help, choices }) =>
      [`  ${name}`, choices === undefined ? help : `${help}: ${choices.join(', ')}`] as const,
  );
  const part = (title: string, text: string): string => (text === '' ? '' : `${paint.bold(title)}\n${text}`);
  const parts = [
    wrap(`${command.summary}.`, width),
    part('Usage', `  ${usageOf(command)}`),
    part('Arguments', twoColumns(named, width)),
    part('Options', optionLines(command.options ?? {}, width)),
    part('Examples', command.examples.map((example) => `  ${example}`).join('\n')),
    part('Options of every command', optionLines(globalOptions, width)),
  ];
  return parts.filter((text) => text !== '').join('\n\n');
}

function optionLines(options: Readonly<Record<string, OptionSpec>>, width: number): string {
  const rows = Object.entries(options).map(([name, option]) => {
    const short = option.short === undefined ? '    ' : `-${option.short}, `;
    const value = option.type === 'string' ? ` ${placeholderOf(option)}` : '';
    const notes = [
      option.choices === undefined ? '' : `: ${option.choices.join(', ')}`,
      option.multiple === true ? ' (repeatable)' : '',
    ].join('');
    return [`  ${short}--${name}${value}`, `${option.help}${notes}`] as const;
  });
  return twoColumns(rows, width);
}

function twoColumns(rows: readonly (readonly [string, string])[], width: number, leftMin = 0): string {
  const left = Math.max(leftMin, ...rows.map(([term]) => term.length));
  const indent = ' '.repeat(left + 2);
  return rows
    .map(([term, text]) => `${pad(term, left)}  ${wrap(text, Math.max(20, width - indent.length), indent)}`)
    .join('\n');
}

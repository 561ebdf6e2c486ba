import { commands } from '../../frame/commands.ts';
import { exits } from '../../frame/fail.ts';
import type { Session } from '../../call/session.ts';
import { globalOptions, type CommandSpec, type Invocation, type OptionSpec } from '../../frame/spec.ts';
import { UsageError } from '../../frame/usage.ts';

const shells: Readonly<Record<string, () => string>> = { bash, zsh, fish };

/** Options with a closed set of values, wherever they stand. */
function closedSets(): readonly (readonly [name: string, values: string])[] {
  const all = [globalOptions, ...commands.map((command) => command.options ?? {})].flatMap((options) =>
    Object.entries(options),
  );
  const sets = all.map(([name, { choices }]) => [name, choices?.join(' ') ?? ''] as const);
  return [...new Map(sets.filter(([, values]) => values !== ''))];
}

export async function run({ positionals }: Invocation, session: Session): Promise<number> {
  const shell = positionals[0] ?? '';
  const script = Object.hasOwn(shells, shell) ? shells[shell] : undefined;
  if (script === undefined)
    throw new UsageError(`There is no completion for ${JSON.stringify(shell)}.`, 'One of: bash, zsh, fish');
  const words = script();
  session.output.data({ shell, script: words }, () => words);
  return await Promise.resolve(exits.ok);
}

function optionsOf(command: CommandSpec): string[] {
  return Object.keys({ ...command.options, ...globalOptions }).map((name) => `--${name}`);
}

function bash(): string {
  const cases = commands.map((command) => `    ${command.name}) words="${optionsOf(command).join(' ')}" ;;`);
  const values = closedSets().map(([name, set]) => `    --${name}) words="${set}" ;;`);
  return `_staffetta() {
  local current="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[COMP_CWORD-1]}" words
  case "\${COMP_WORDS[1]}" in
${cases.join('\n')}
    *) words="${commands.map((command) => command.name).join(' ')} ${Object.keys(globalOptions)
      .map((name) => `--${name}`)
      .join(' ')}" ;;
  esac
  if [[ "$current" == t* && COMP_CWORD -gt 1 ]]; then
    words="$words $(staffetta ls --all --limit 200 --json 2>/dev/null | grep -o '"task":"t[0-9a-z]*"' | cut -d'"' -f4)"
  fi
  case "$previous" in
${values.join('\n')}
    completion) words="${Object.keys(shells).join(' ')}" ;;
  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F _staffetta staffetta
`;
}

function zsh(): string {
  const names = commands.map(
    (command) => `    '${command.name}:${quoted(command.summary).replaceAll(':', '\\:')}'`,
  );
  const values = closedSets().map(([name, set]) => `    --${name}) compadd -- ${set}; return ;;`);
  const cases = commands.map(
    (command) => `    ${command.name}) compadd -- ${optionsOf(command).join(' ')} ;;`,
  );
  return `#compdef staffetta
_staffetta() {
  local -a commands
  commands=(
${names.join('\n')}
  )
  if (( CURRENT == 2 )); then
    _describe command commands
    return
  fi
  case "$words[CURRENT-1]" in
${values.join('\n')}
  esac
  case "$words[2]" in
${cases.join('\n')}
  esac
  _files
}
if [[ "$funcstack[1]" == _staffetta ]]; then
  _staffetta "$@"
else
  compdef _staffetta staffetta
fi
`;
}

function fish(): string {
  const lines = commands.flatMap((command) => [
    `complete -c staffetta -n __fish_use_subcommand -f -a ${command.name} -d '${quoted(command.summary)}'`,
    ...Object.entries(command.options ?? {}).map(
      ([name, option]) =>
        `complete -c staffetta -n '__fish_seen_subcommand_from ${command.name}' ${fishOption(name, option)}`,
    ),
  ]);
  const globals = Object.entries(globalOptions).map(
    ([name, option]) => `complete -c staffetta ${fishOption(name, option)}`,
  );
  return `${[...lines, ...globals].join('\n')}\n`;
}

function fishOption(name: string, option: OptionSpec): string {
  const values = option.choices === undefined ? '' : ` -x -a '${option.choices.join(' ')}'`;
  return `-l ${name}${option.type === 'string' ? ' -r' : ''}${values} -d '${quoted(option.help)}'`;
}

/** Inside single quotes. */
function quoted(text: string): string {
  return text.replaceAll("'", '’');
}

/**
 * Which commands of a session may stand in a contract as what has to pass: those that prove something and change nothing outside
 * build output. Every receiver runs a contract's commands again, so a command that nobody looked at must be safe to run. What is not
 * known is not taken.
 *
 * Every part of a line has to be a proof (`proving-programs.ts`) or harmless (it changes folder within the workspace, sets variables or
 * prints), and the last of them decides how it ends: a proof, or something behind one that only lets the outcome through. A proof
 * whose outcome is thrown away (`npm test || true`, `npm test; echo $?`) is taken without that.
 */
import { withoutOutput } from './argv.ts';
import { programName, plainWords, provesAs, provingPrograms } from './proving-programs.ts';
import {
  isChangingOption,
  isChangingVariable,
  isWithin,
  placesIn,
  saysChange,
  saysProof,
} from './proving-names.ts';
import { simpleCommands, type SimpleCommand } from './shell-line.ts';

const charsMax = 300;
type Verdict = 'proof' | 'harmless' | null;

/** The proof in a line, as it would be run; null where there is none, or more than a proof. `folder`: of the session. */
export function proofIn(line: string, folder: string | null = null): string | null {
  if (line.length > 2 * charsMax) return null;
  const command = withoutOutput(withoutReport(withoutOutput(line)));
  return command.length <= charsMax && isProof(command, folder) ? command : null;
}

/** What tells how it ended, and makes it end well. */
const report =
  /(?:(?:;|\|\|)\s*(?:(?:true|:)\s*|(?:echo|printf)\b(?:[^;&|<>`$"']|\$\?|"(?:[^"`$]|\$\?|\$\{PIPESTATUS\[0\]\})*"|'[^']*')*))+$/;

function withoutReport(line: string): string {
  return line
    .replace(/[\s;]+$/, '')
    .replace(report, '')
    .trim();
}

function isProof(line: string, folder: string | null): boolean {
  const parts = simpleCommands(line);
  if (parts === null || parts.some(({ after }) => after === '||')) return false;
  const verdicts = parts.map(({ words }) => judge(words, folder));
  return verdicts.every((verdict) => verdict !== null) && decides(parts, verdicts);
}

/** The outcome of the line is that of a proof: what comes behind the last one only runs where it passed. */
function decides(parts: readonly SimpleCommand[], verdicts: readonly Verdict[]): boolean {
  const last = verdicts.lastIndexOf('proof');
  if (last < 0) return false;
  return parts.slice(last + 1).every(({ after }) => after === '&&');
}

/** It proves nothing and changes nothing: it leads to a folder of the workspace, sets something, or prints. */
export function isHarmlessCommand(words: readonly string[], folder: string | null): boolean {
  return words[0] !== '!' && judge(words, folder) === 'harmless';
}

/** Words in, judged as one simple command. */
function judge(given: readonly string[], folder: string | null): Verdict {
  const start = given.findIndex((word) => !/^[A-Za-z_]\w*=/.test(word) && word !== '!');
  const assigned = given.slice(0, start < 0 ? given.length : start);
  if (assigned.some((word) => word !== '!' && isChangingVariable(word))) return null;
  const words = start < 0 ? [] : given.slice(start);
  const [first = '', ...args] = words;
  if (first === '') return 'harmless';
  if (placesIn(args).some((place) => !isWithin(place, folder))) return null;
  // Some shells make options of these.
  if (args.some((arg) => /[{,]-/.test(arg))) return null;
  const inner = unwrapped(programName(first), args);
  if (inner !== undefined) return inner === null ? null : judge(inner, folder);
  if (isHarmless(first, args, folder)) return 'harmless';
  return proves(first, args, folder) ? 'proof' : null;
}

/** What a program runs for another: its words; null where it cannot be told; undefined where it is none of these. */
function unwrapped(program: string, args: readonly string[]): readonly string[] | null | undefined {
  const from = (i: number): readonly string[] | null => (i < 0 || i >= args.length ? null : args.slice(i));
  switch (program) {
    case 'time':
    case 'nice':
    case 'command':
      return args[0]?.startsWith('-') === true ? null : from(0);
    case 'env':
      return args[0]?.startsWith('-') === true ? null : from(0);
    case 'timeout': {
      const at = args.findIndex((word) => /^\d+(?:\.\d+)?[smh]?$/.test(word));
      return at >= 0 && args.slice(0, at).every((word) => word.startsWith('-')) ? from(at + 1) : null;
    }
    case 'npx':
    case 'bunx':
    case 'pnpx': {
      const at = args.findIndex((word) => !word.startsWith('-'));
      return args.slice(0, at).every((word) => /^(?:-y|--yes|--no-install|--no|--)$/.test(word))
        ? from(at)
        : null;
    }
    case 'poetry':
    case 'uv':
    case 'pipenv':
    case 'rye':
    case 'pdm': {
      const at = args.findIndex(
        (word, i) => i > 0 && !/^(?:-q|--(?:frozen|locked|no-sync|all-extras|quiet))$/.test(word),
      );
      return args[0] === 'run' && args[at]?.startsWith('-') !== true ? from(at) : null;
    }
    case 'coverage':
      return args[0] === 'run' && args[1] === '-m' ? from(2) : undefined;
    case 'bundle':
      return args[0] === 'exec' ? from(1) : undefined;
    case 'pnpm':
    case 'npm':
    case 'yarn':
      return args[0] === 'exec' || args[0] === 'x' ? from(args[1] === '--' ? 2 : 1) : undefined;
    default:
      return undefined;
  }
}

const printing = new Set(
  'echo printf true : pwd ls cat head tail wc sort uniq cut tr nl which sleep grep rg jq'.split(' '),
);
const gitLooks = /^(?:status|log|diff|show|rev-parse|ls-files|blame|describe)$/;

function isHarmless(program: string, args: readonly string[], folder: string | null): boolean {
  if (program === 'cd' || program === 'pushd') return args.length === 1 && isWithin(args[0] ?? '', folder);
  if (program === 'set') return args.every((arg) => /^[-+][a-z]+$|^pipefail$/.test(arg));
  if (program === 'export') return args.every((arg) => /^\w+=/.test(arg) && !isChangingVariable(arg));
  if (program === 'source' || program === '.')
    return args.length === 1 && /(?:^|\/)\.?(?:venv|env)\/bin\/activate$/.test(args[0] ?? '');
  if (hasOutput(program, args) || args.some((arg) => arg.startsWith('--pre'))) return false;
  if (program === 'git')
    return gitLooks.test(plainWords(args)[0] ?? '') && !args.includes('-c') && !provesAs('git', args);
  if (program === 'uniq') return plainWords(args).length <= 1;
  return printing.has(program) && !(provingPrograms.has(program) && provesAs(program, args));
}

/** Programs that print by themselves and write where they are told to. */
function hasOutput(program: string, args: readonly string[]): boolean {
  return /^(?:sort|git)$/.test(program) && args.some((arg) => /^(?:-o|--output)/.test(arg));
}

const managers = /^(?:npm|pnpm|yarn|bun|composer)$/;
const interpreters = /^(?:node|tsx|ts-node|python[\d.]*|py|ruby|perl|php|bash|sh|zsh|dash)$/;

function proves(first: string, args: readonly string[], folder: string | null): boolean {
  const program = programName(first);
  if (managers.test(program)) return byManager(program, args);
  if (interpreters.test(program)) return byInterpreter(program, args, folder);
  if (program === 'deno' && args[0] === 'task') return args[1] !== undefined && saysProof(args[1]);
  if (program === 'cmake') return args[0] === '--build' && targetsOk(args);
  if (program === 'ninja')
    return !args.includes('-t') && plainWords(args).every((target) => target === 'all' || saysProof(target));
  if (program === 'go' && args.some((arg) => arg.startsWith('-vettool'))) return false;
  if (program === 'git' && (args.includes('-c') || hasOutput(program, args))) return false;
  if (provingPrograms.has(program)) return provesAs(program, args);
  return first.includes('/') && isScript(first, folder) && !args.some(isChangingWord);
}

function targetsOk(args: readonly string[]): boolean {
  const at = args.findIndex((arg) => arg === '--target' || arg === '-t');
  if (at < 0) return true;
  return args.slice(at + 1).every((arg) => arg.startsWith('-') || arg === 'all' || saysProof(arg));
}

/** `npm test`, `yarn lint`, `pnpm --filter web run build:prod`: a script that says by its name that it proves something. */
function byManager(program: string, args: readonly string[]): boolean {
  if (args.some((arg) => isChangingOption(arg) || arg === '-u')) return false;
  const own = args.slice(0, args.includes('--') ? args.indexOf('--') : undefined);
  // For pnpm it is the root of the workspace, and takes no word.
  const words = plainWords(program === 'pnpm' ? own.filter((arg) => arg !== '-w') : own);
  const [first = '', second = ''] = words;
  const run = words.findIndex((word) => word === 'run' || word === 'run-script');
  if (run === 0 || (program === 'yarn' && /^workspaces?$/.test(first) && run > 0))
    return saysProof(words[run + 1] ?? '');
  if (program === 'yarn' && first === 'workspace') return second !== '' && saysProof(words[2] ?? '');
  if (program === 'npm') return /^(?:test|t|tst)$/.test(first);
  if (program === 'composer') return first === 'test' || first === 'validate';
  if (program === 'bun')
    return first === 'test' || first === 'build' || (/\.\w+$/.test(first) && isScript(first, null));
  // Both also run scripts and programs by their bare names; what they do themselves has names that prove nothing.
  return (
    first === 't' ||
    saysProof(first) ||
    (provingPrograms.has(first) && provesAs(first, args.slice(args.indexOf(first) + 1)))
  );
}

/** Options of interpreters that take a word, and run what stands there beside the script. */
const loading = new Set(['--import', '--require', '-r', '--loader', '--experimental-loader', '--env-file']);
const evaluating = /^-(?:[a-zA-Z]*[eEpi]|r.+|-(?:eval|print|interactive)(?:=.*)?)$/;

/** `node --test`, `python -m pytest`, `bash -n x.sh`, `node check.mjs`. */
function byInterpreter(program: string, args: readonly string[], folder: string | null): boolean {
  const at = args.findIndex(
    (arg, i) => !arg.startsWith('-') && !(program === 'node' && loading.has(args[i - 1] ?? '')),
  );
  const options = at < 0 ? args : args.slice(0, at);
  const [script = '', ...more] = at < 0 ? [] : args.slice(at);
  const isAlone = script !== '' && more.length === 0;
  if (/^(?:bash|sh|zsh|dash)$/.test(program)) {
    if (options.some((option) => /^-[a-z]*c$/.test(option))) return isAlone && isProof(script, folder);
    if (options.includes('-n')) return isAlone;
    return options.every((option) => /^-[euxv]+$/.test(option)) && isOwn(script, more, folder);
  }
  if (program.startsWith('py')) {
    if (options.at(-1) === '-m') return provingPrograms.has(script) && provesAs(script, more);
    return options.every((option) => /^-[uBOsEIqvx]+$/.test(option)) && isOwn(script, more, folder);
  }
  const syntax = { node: ['--check', '-c'], ruby: ['-c'], perl: ['-c'], php: ['-l'] }[program] ?? [];
  if (options.some((option) => syntax.includes(option))) return isAlone;
  if (options.some((option) => evaluating.test(option))) return false;
  if (program === 'node' && options.includes('--test')) return !args.some(isChangingOption);
  return isOwn(script, more, folder);
}

/** A script that is a program of the list, or says by its name that it proves something. */
function isOwn(script: string, args: readonly string[], folder: string | null): boolean {
  if (args.some((arg) => isChangingOption(arg) || arg === '-u')) return false;
  const name = programName(script);
  const known = [name, name.replace(/\.(?:[cm]?js|py|php|rb)$/, '')].find(
    (each) => provingPrograms.has(each) && !/^(?:test|diff|task|doctest|unittest)$/.test(each),
  );
  if (known !== undefined) return isWithin(script, folder) && provesAs(known, args);
  return isScript(script, folder) && !args.some(isChangingWord);
}

/** `./build.sh deploy` is told what else to do by a word, or by an option. */
function isChangingWord(arg: string): boolean {
  return isChangingOption(arg) || (/^[\w:-]+$/.test(arg) && !arg.startsWith('-') && saysChange(arg));
}

/** A file of the workspace whose name says that it proves something. */
function isScript(path: string, folder: string | null): boolean {
  const name = programName(path);
  if (name === '' || !isWithin(path, folder)) return false;
  const known = /\.(?:[cm]?[jt]sx?|py|rb|pl|php|sh|bash|zsh)$/i;
  return (known.test(name) || /^[\w-]+$/.test(name)) && saysProof(name.replace(known, ''));
}

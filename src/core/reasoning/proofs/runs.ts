/**
 * What was run in a session, and how it ended: each command with the last time that it failed, that it passed and that nobody
 * knows. A command is named as it was typed, without what only shortens its output. Commands that only look (ls, cat, git status)
 * are left out, unless they failed and nothing passed since.
 *
 * Whether it passed or failed is what the program recorded: an exit code, or what it says of the call. With neither it ran, and
 * no more is known. What is recorded is of the whole line: where a command in it may have failed although the line ended well
 * (`line-outcome.ts`), it ran.
 */
import type { ToolCall, Result } from '../../transcript/step.ts';
import type { StoryStep } from '../../transcript/story.ts';
import { joinCommand } from '../../base/command-line.ts';
import { withoutOutput, withoutPipes } from './argv.ts';
import { commandsIn, placeFrom, statusProves } from './line-outcome.ts';
import { proofIn } from './proving.ts';
import { neverRan } from '../refused-call.ts';

export interface ProofEnd {
  readonly ref: number;
  readonly at: number | null;
  readonly exit: number | null;
  /** What it printed, as the model saw it. */
  readonly output: string;
}

export interface SessionRun {
  readonly command: string;
  readonly failed: ProofEnd | null;
  readonly passed: ProofEnd | null;
  /** Nothing says how it ended. */
  readonly ran: ProofEnd | null;
  /** By its words it is about tests, builds and the like. It may do anything else too. */
  readonly checks: boolean;
  /** What of it may stand in a contract as what has to pass; null where it is no such thing, or never ran. */
  readonly proof: string | null;
  /** What it runs, each command with its folder; empty where that cannot be told. */
  readonly commands: readonly string[];
}

const shellTools =
  /^(?:bash|shell|shell_command|local_shell|exec_command|run_shell_command|container\.exec|execute_command|run_command|terminal)$/i;

export function commandOf({ tool, args, raw }: ToolCall): string | null {
  if (!shellTools.test(tool)) return null;
  const value = args['command'] ?? args['cmd'] ?? args['script'] ?? raw;
  if (typeof value === 'string') return value.trim() === '' ? null : value;
  if (!Array.isArray(value)) return null;
  const words = value.map(String);
  const [first = '', option = '', script] = words;
  const isShell = words.length === 3 && /(?:^|\/)(?:ba|z|da)?sh$/.test(first) && /^-\w*c$/.test(option);
  return isShell && script !== undefined ? script : words.join(' ');
}

/** As it would be typed in the folder of the session: some programs are told another apart from the line, or stay where the last went. */
function lineIn(call: ToolCall, folder: string | null): string | null {
  const line = commandOf(call);
  const given = ['workdir', 'cwd', 'dir_path', 'directory'].map((name) => call.args[name]);
  const to = given.find((value) => typeof value === 'string' && value !== '') ?? call.folder;
  if (line === null || typeof to !== 'string' || /^\s*cd\s+["']?\//.test(line)) return line;
  const place = placeFrom('', to, folder) ?? to;
  return place === '' || (folder === null && place.startsWith('/'))
    ? line
    : `cd ${joinCommand([place])} && ${line}`;
}

const looking =
  /^(?:cd \S+ ?(?:&&|;) ?)?(?:ls|cat|head|tail|grep|rg|find|pwd|echo|which|wc|stat|file|tree|env|whoami|date|less|more|nl|awk|jq|du|df|ps|type|sed -n|git (?:status|log|diff|show|branch|blame|rev-parse|remote|ls-files|grep|describe))\b/;
const checking =
  /\b(?:tests?|spec|jest|vitest|mocha|pytest|tox|unittest|rspec|phpunit|go (?:test|vet|build)|cargo (?:test|check|build|clippy)|mvn|gradlew?|make|ctest|bazel|lint|eslint|oxlint|ruff|flake8|mypy|pyright|tsc|typecheck|type-check|check|build|compile|dotnet (?:test|build)|mix test|swift (?:test|build)|deno (?:test|check|lint)|bun test)\b/;

function isCheck(command: string): boolean {
  return checking.test(command) && !looking.test(command) && command.length <= 300 && !command.includes('\n');
}

/** `folderOf`: the folder that a session began in, by its number. */
export function runsIn(
  steps: readonly StoryStep[],
  folderOf: (session: number) => string | null = () => null,
): SessionRun[] {
  const runs = new Map<string, SessionRun>();
  for (const step of steps) {
    if (step.aside === 'rewritten' || step.calls === undefined) continue;
    for (const call of step.calls) {
      const folder = folderOf(step.session);
      const line = lineIn(call, folder);
      const result = step.results?.find((each) => each.call === call.id);
      // What a person or the program refused did not run.
      if (line === null || result === undefined || result.refused === true || neverRan(result)) continue;
      const command = withoutOutput(line);
      const known = runs.get(command);
      const how = howKnown(line, howEnded(result), folder);
      const end = { ref: step.ref, at: step.at, exit: result.exit ?? null, output: result.text };
      // Set again, so that the command that ran last is last.
      runs.delete(command);
      runs.set(command, {
        ...endsBefore(step.ref, known),
        command,
        [how]: end,
        checks: isCheck(command),
        proof: proofIn(line, folder),
        commands: commandsIn(command, folder),
      });
    }
  }
  return [...runs.values()].filter(
    ({ command, failed: lost, passed }) =>
      !looking.test(command) || (lost !== null && lost.ref > (passed?.ref ?? -1)),
  );
}

type Outcome = 'failed' | 'passed' | 'ran';

/** Of two calls in one step the later counts. */
function endsBefore(ref: number, known: SessionRun | undefined): Pick<SessionRun, Outcome> {
  const before = (end: ProofEnd | null | undefined): ProofEnd | null =>
    end === undefined || end === null || end.ref === ref ? null : end;
  return { failed: before(known?.failed), passed: before(known?.passed), ran: before(known?.ran) };
}

/** A search that the output goes through fails where it finds nothing. */
function howKnown(line: string, how: Outcome, folder: string | null): Outcome {
  if (how === 'passed') return statusProves(line, folder) ? 'passed' : 'ran';
  const isPiped = withoutPipes(line) !== line.trim() && !/pipefail|PIPESTATUS/.test(line);
  return isPiped && /\|\s*(?:grep|rg)\b[^|]*$/.test(line.slice(-400)) ? 'ran' : how;
}

function howEnded({ failed, passed, exit }: Result): Outcome {
  if (failed || (exit !== undefined && exit !== 0)) return 'failed';
  return passed === true || exit === 0 ? 'passed' : 'ran';
}

/** The step in which it ran last. */
export function lastRef({ failed, passed, ran }: SessionRun): number {
  return Math.max(failed?.ref ?? -1, passed?.ref ?? -1, ran?.ref ?? -1);
}

/** Something passed after a run that ran all of its commands, where they ran. */
export function isMadeGood({ commands, failed }: SessionRun, runs: readonly SessionRun[]): boolean {
  return runs.some(
    ({ passed, commands: done }) => (passed?.ref ?? -1) > (failed?.ref ?? 0) && isWithin(commands, done),
  );
}

/** Something failed after that step that ran nothing but these commands. */
export function isUndone(commands: readonly string[], ref: number, runs: readonly SessionRun[]): boolean {
  return runs.some(({ failed, commands: done }) => (failed?.ref ?? -1) > ref && isWithin(done, commands));
}

function isWithin(commands: readonly string[], others: readonly string[]): boolean {
  return commands.length > 0 && commands.every((command) => others.includes(command));
}

const telling =
  /\b(?:error|fail(?:ed|ure|s)?|expected|received|assert\w*|not found|cannot|can['’]t|undefined|exception|panic|denied|refused|timed? ?out|unable|missing|invalid)\b|✗|×|^E\s/i;
const linesMax = 4;
const charsMax = 600;
/** What programs put around an output. */
const envelope =
  /^(?:Chunk ID: \S+|Wall time: .{1,40}|Process exited with code -?\d+|Process running with session ID \S+|Original token count: \d+|Total output lines: \d+|Exit code:? -?\d+|Output:(?: \(empty\))?|Error: \(none\)|Signal: (?:\(none\)|\d+)|Background PIDs: .*|Process Group PGID: .*)$/i;

/** The lines of an output that say what went wrong: the first that do, or the last ones. */
export function tellingLines(output: string): string[] {
  const tail = output.length > 65_536 ? `${output.slice(0, 32_768)}\n${output.slice(-32_768)}` : output;
  const lines = tail
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !/^[\s\p{P}\p{S}]+$/u.test(line) && !envelope.test(line));
  const found = lines.filter((line) => telling.test(line)).slice(0, linesMax);
  const kept: string[] = [];
  let chars = 0;
  for (const line of found.length > 0 ? found : lines.slice(-2)) {
    const short = line.length > 240 ? `${line.slice(0, 240)}…` : line;
    chars += short.length;
    if (chars > charsMax) break;
    kept.push(short);
  }
  return kept;
}

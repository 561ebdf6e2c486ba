import { lanes } from '../../core/task/lanes.ts';
import type { Session } from '../call/session.ts';

/** What a command takes, as data: help, completion, the parser and the documentation are all made from it. */
export interface OptionSpec {
  readonly type: 'string' | 'boolean';
  readonly multiple?: boolean;
  readonly short?: string;
  /** What stands for the value in help, e.g. NAME. */
  readonly value?: string;
  /** What it says where no value follows; then it may stand alone. */
  readonly alone?: string;
  readonly help: string;
  /** Closed sets complete and are checked. */
  readonly choices?: readonly string[];
}

/** What stands for its value, in brackets where it may stand alone. */
export function placeholderOf({ value = 'VALUE', alone }: OptionSpec): string {
  return alone === undefined ? value : `[${value}]`;
}

export interface ArgumentSpec {
  readonly name: string;
  readonly help: string;
  readonly optional?: boolean;
  /** The last one may stand several times. */
  readonly repeats?: boolean;
  /** Closed sets complete and are checked. */
  readonly choices?: readonly string[];
}

export interface CommandSpec {
  readonly name: string;
  readonly summary: string;
  readonly group: 'Work' | 'Carry' | 'Hand over' | 'Review' | 'Crew' | 'Look' | 'Keep';
  readonly arguments?: readonly ArgumentSpec[];
  readonly options?: Readonly<Record<string, OptionSpec>>;
  readonly examples: readonly string[];
  readonly load: () => Promise<{ readonly run: Run }>;
}

/** Values as parsed: one per option, a list where the option repeats. */
export type Values = Readonly<Record<string, string | boolean | readonly string[] | undefined>>;

export interface Invocation {
  readonly command: CommandSpec;
  readonly positionals: readonly string[];
  readonly values: Values;
}

export type Run = (invocation: Invocation, session: Session) => Promise<number>;

export const globalOptions: Readonly<Record<string, OptionSpec>> = {
  store: { type: 'string', value: 'URL', help: 'Use this store instead of the one found from here' },
  as: { type: 'string', value: 'NAME', help: 'Speak as this agent' },
  lane: {
    type: 'string',
    value: 'LANE',
    help: 'Speak in this lane',
    choices: lanes,
  },
  runtime: { type: 'string', value: 'NAME', help: 'The program the agent runs in' },
  generation: { type: 'string', value: 'N', help: 'Act only if this generation still holds the task' },
  json: { type: 'boolean', help: 'Print data as JSON' },
  'dry-run': { type: 'boolean', help: 'Say what would happen, change nothing' },
  'idempotency-key': {
    type: 'string',
    value: 'KEY',
    help: 'Repeating a request with its key changes nothing',
  },
  quiet: { type: 'boolean', short: 'q', help: 'No words on stderr unless something is wrong' },
  help: { type: 'boolean', short: 'h', help: 'Show help' },
  version: { type: 'boolean', help: 'Show the version' },
};

export const packetOptions: Readonly<Record<string, OptionSpec>> = {
  done: {
    type: 'string',
    multiple: true,
    value: 'TEXT',
    help: 'Something that is finished; its evidence in brackets: "… [j12]"',
  },
  doing: { type: 'string', multiple: true, value: 'TEXT', help: 'Something half done' },
  remaining: { type: 'string', multiple: true, value: 'TEXT', help: 'Something left to do' },
  blocker: { type: 'string', multiple: true, value: 'TEXT', help: 'Something in the way' },
  question: {
    type: 'string',
    multiple: true,
    value: 'TEXT',
    help: 'An open question; "agent:NAME: …" or "human: …" says who answers',
  },
  next: { type: 'string', value: 'TEXT', help: 'The one next action' },
  summary: { type: 'string', value: 'TEXT', help: 'The state of things in a few sentences' },
  artefact: {
    type: 'string',
    multiple: true,
    value: 'PATH',
    help: 'A file that matters; "PATH: why" says why, or why it need not travel',
  },
  skill: {
    type: 'string',
    multiple: true,
    value: 'NAME',
    help: 'Instructions the next agent should load: a name, or a path in the workspace',
  },
  transcript: { type: 'string', value: 'FILE', help: 'The reasoning since the last packet; - reads stdin' },
  claims: { type: 'string', value: 'FILE', help: 'All of the above as JSON, or a HANDOFF.md; - reads stdin' },
};

/**
 * A contract as people write it: a title, the goal below it, and lists under headings.
 *
 *   # Rate limits
 *   Requests over the limit get 429 with Retry-After.
 *   ## Acceptance
 *   - npm test passes
 *   ## Validation
 *   - unit: npm test
 *   - `npm run build | tee build.log` (shell, timeout 10m)
 *   ## Review policy
 *   - paths: infra/, src/auth/
 *   - diff lines: 400
 *   ## Phases
 *   ### measure
 *   The rate is known.
 *   - it stands in rates.md
 *   #### Verify
 *   - node check-rates.mjs
 *
 * Headings are matched by their words, in any case, singular or plural. An unknown heading is refused: a criterion that nobody
 * reads is worse than an error. A phase has a heading of the third level, and its own text, criteria and commands below.
 */
import { defined, filled } from '../base/defined.ts';
import { StaffettaError } from '../base/error.ts';
import { withoutEnd } from '../base/without-end.ts';

/** A command with what is said of it in brackets. Without that it is one text. */
export interface CommandText {
  readonly run: string;
  readonly name?: string;
  readonly shell?: true;
  /** As written, such as `10m`. */
  readonly timeout?: string;
}

export interface PhaseText {
  readonly name: string;
  goal?: string;
  criteria?: string[];
  verify?: (string | CommandText)[];
  rollback?: (string | CommandText)[];
}

/** What a contract file says, before it is checked as a contract. Commands are still one text each. */
export interface ContractText {
  title?: string;
  goal?: string;
  kind?: string;
  /** `yes`, or nothing. */
  strict?: string;
  acceptance?: string[];
  constraints?: string[];
  nonGoals?: string[];
  protectedPaths?: string[];
  validation?: (string | CommandText)[];
  phases?: PhaseText[];
  skills?: string[];
  review?: string;
  stop?: string;
  /** By name; `paths` and `kinds` are lists with commas. */
  policy?: Record<string, string>;
  needs?: string[];
  caps?: Record<string, string>;
}

type Field = keyof ContractText;

const lists: ReadonlySet<Field> = new Set([
  'acceptance',
  'constraints',
  'nonGoals',
  'protectedPaths',
  'skills',
  'needs',
]);

const headings: Readonly<Record<string, Field>> = {
  goal: 'goal',
  kind: 'kind',
  strict: 'strict',
  acceptance: 'acceptance',
  'acceptance criteria': 'acceptance',
  'accepted when': 'acceptance',
  'definition of done': 'acceptance',
  constraint: 'constraints',
  constraints: 'constraints',
  'non goal': 'nonGoals',
  'non goals': 'nonGoals',
  'not part of it': 'nonGoals',
  'out of scope': 'nonGoals',
  'protected path': 'protectedPaths',
  'protected paths': 'protectedPaths',
  validation: 'validation',
  'validation commands': 'validation',
  'proven by': 'validation',
  phase: 'phases',
  phases: 'phases',
  skill: 'skills',
  skills: 'skills',
  review: 'review',
  reviewer: 'review',
  'review owner': 'review',
  'review policy': 'policy',
  'a person approves': 'policy',
  'stop at': 'stop',
  needs: 'needs',
  'waits for': 'needs',
  cap: 'caps',
  caps: 'caps',
};

export function readContractMarkdown(source: string): ContractText {
  const contract: ContractText = {};
  let field: Field = 'goal';
  const seen = new Set<Field>();
  const lines = new Map<Field, string[]>();
  for (const line of source.split(/\r?\n/)) {
    const heading = headingOf(line);
    const inPhases = field === 'phases' && (heading?.level ?? 0) > 2;
    if (heading === undefined || inPhases) add(lines, field, line);
    else if (heading.level === 1 && contract.title === undefined) contract.title = heading.words;
    else {
      field = fieldOf(heading.words);
      if (seen.has(field)) throw refused(`it has two sections for ${field}.`);
      seen.add(field);
    }
  }
  for (const [name, body] of lines) assign(contract, name, body);
  return contract;
}

function add<Part>(lines: Map<Part, string[]>, part: Part, line: string): void {
  const body = lines.get(part);
  if (body === undefined) lines.set(part, [line]);
  else body.push(line);
}

/** With or without signs that close it. */
function headingOf(line: string): { readonly level: number; readonly words: string } | undefined {
  const [, marks, rest] = /^(#{1,6})\s+(\S.*)$/.exec(line) ?? [];
  return marks === undefined || rest === undefined
    ? undefined
    : { level: marks.length, words: unclosed(rest) };
}

function unclosed(words: string): string {
  return withoutEnd(words, '#').trimEnd();
}

/** What stands under a heading of these words; undefined where they mean nothing in a contract. */
export function fieldUnder(heading: string): keyof ContractText | undefined {
  return headings[wordsOf(heading)];
}

function fieldOf(heading: string): Field {
  const field = fieldUnder(heading);
  if (field !== undefined) return field;
  throw refused(
    `it has a section "${heading}" that means nothing here. Known: ${[...new Set(Object.values(headings))].join(', ')}.`,
  );
}

function wordsOf(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^a-z]+/g, ' ')
    .trim();
}

function assign(contract: ContractText, field: Field, body: readonly string[]): void {
  const text = body.join('\n').trim();
  if (text === '') return;
  if (lists.has(field)) Object.assign(contract, { [field]: items(body).map(unmarked) });
  else if (field === 'validation') contract.validation = commands(body);
  else if (field === 'phases') contract.phases = phasesIn(body);
  else if (field === 'policy' || field === 'caps') contract[field] = pairs(field, body);
  else Object.assign(contract, { [field]: field === 'goal' ? text : text.replace(/^[-*]\s+/, '') });
}

/** List items; lines that follow an item indented belong to it. */
function items(body: readonly string[]): string[] {
  const found: string[] = [];
  for (const line of body) {
    const item = itemText(line);
    if (item !== undefined) found.push(item);
    else if (line.trim() !== '' && found.length > 0) found.push(`${found.pop() ?? ''} ${line.trim()}`);
    else if (line.trim() !== '') found.push(line.trim());
  }
  return found;
}

export function itemText(line: string): string | undefined {
  return /^\s{0,3}(?:[-*+]|\d+[.)])\s+(?:\[[ xX]\]\s+)?(\S.*)$/.exec(line)?.[1]?.trim();
}

/** Code marks around a whole item are taken off. */
function unmarked(item: string): string {
  return /^`([^`]+)`$/.exec(item)?.[1] ?? item;
}

function commands(body: readonly string[]): (string | CommandText)[] {
  return items(body).map((item) => {
    const [, name, run, said] = /^(?:([A-Za-z][\w.-]*):\s+)?`([^`]+)`\s*\(([^()]*)\)$/.exec(item) ?? [];
    if (run === undefined || said === undefined) {
      const [, called, command] = /^([A-Za-z][\w.-]*:\s+)`([^`]+)`$/.exec(item) ?? [];
      return called === undefined ? unmarked(item) : `${called}${command ?? ''}`;
    }
    return { run, ...defined({ name }), ...commandTraits(said) };
  });
}

function commandTraits(said: string): Omit<CommandText, 'run'> {
  const traits: { name?: string; shell?: true; timeout?: string } = {};
  for (const part of said.split(',')) {
    const [, key = '', value = ''] = /^(\w+)(?:\s*:)?\s*(.*)$/s.exec(part.trim()) ?? [];
    if (key === 'shell' && value === '') traits.shell = true;
    else if ((key === 'name' || key === 'timeout') && value !== '') traits[key] = value;
    else
      throw refused(`"${part.trim()}" says nothing about a command. Known: shell, name NAME, timeout TIME.`);
  }
  return traits;
}

type PhasePart = 'goal' | 'criteria' | 'verify' | 'rollback';

const phaseParts: Readonly<Record<string, PhasePart>> = {
  criteria: 'criteria',
  acceptance: 'criteria',
  'accepted when': 'criteria',
  verify: 'verify',
  'verified by': 'verify',
  rollback: 'rollback',
  'roll back': 'rollback',
  'undone by': 'rollback',
};

/** Headings of the third level name a phase; without any, each item of a list does. */
function phasesIn(body: readonly string[]): PhaseText[] {
  const heads = body.flatMap((line, i) => (/^###\s/.test(line) ? [i] : []));
  if (heads.length === 0) return items(body).map((item) => ({ name: unmarked(item) }));
  if (body.slice(0, heads[0]).join('').trim() !== '')
    throw refused('text stands before the first phase. Give each phase a heading: ### NAME.');
  return heads.map((start, i) => phaseIn(body.slice(start, heads[i + 1])));
}

function phaseIn([head = '', ...body]: readonly string[]): PhaseText {
  const phase: PhaseText = { name: unclosed(head.replace(/^###\s+/, '')) };
  let part: PhasePart = 'goal';
  const lines = new Map<PhasePart, string[]>();
  for (const line of body) {
    const { level = 0, words: heading = '' } = headingOf(line) ?? {};
    if (level < 4) {
      const place = part === 'goal' && itemText(line) !== undefined ? 'criteria' : part;
      add(lines, place, line);
      continue;
    }
    const known = phaseParts[wordsOf(heading)];
    if (known === undefined)
      throw refused(
        `phase ${phase.name} has a section "${heading}" that means nothing here. Known: criteria, verify, rollback.`,
      );
    part = known;
  }
  const goal = lines.get('goal')?.join('\n').trim() ?? '';
  const criteria = items(lines.get('criteria') ?? []).map(unmarked);
  const verify = commands(lines.get('verify') ?? []);
  const rollback = commands(lines.get('rollback') ?? []);
  return {
    ...phase,
    ...filled({ goal, criteria, verify, rollback }),
  };
}

const pairNames: Readonly<Record<'policy' | 'caps', Readonly<Record<string, string>>>> = {
  policy: {
    path: 'paths',
    paths: 'paths',
    'diff lines': 'diffLinesMax',
    'diff lines max': 'diffLinesMax',
    kind: 'kinds',
    kinds: 'kinds',
  },
  caps: { hops: 'hops', rework: 'rework', attempts: 'attempts' },
};

function pairs(field: 'policy' | 'caps', body: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    items(body).map((item) => {
      const [, key = '', value = ''] = /^([^:]+):\s*(\S.*)$/.exec(item) ?? [];
      const name = pairNames[field][wordsOf(key)];
      if (name !== undefined) return [name, value.trim()];
      throw refused(
        `"${item}" means nothing under ${field}. Known: ${[...new Set(Object.keys(pairNames[field]))].join(', ')}, each with a colon and a value.`,
      );
    }),
  );
}

function refused(why: string): StaffettaError {
  return new StaffettaError('invalid-input', `The contract cannot be read: ${why}`);
}

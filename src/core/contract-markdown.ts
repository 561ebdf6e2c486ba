/**
 * A contract as people write it: a title, the goal below it, and lists under headings.
 *
 *   # Rate limits
 *   Requests over the limit get 429 with Retry-After.
 *   ## Acceptance
 *   - npm test passes
 *   ## Validation
 *   - npm test
 *
 * Headings are matched by their words, in any case, singular or plural. An unknown heading is refused: a criterion that nobody
 * reads is worse than an error.
 */
import { StaffettaError } from './error.ts';

/** What a contract file says, before it is checked as a contract. Validation commands are still one text each. */
export interface ContractText {
  title?: string;
  goal?: string;
  kind?: string;
  acceptance?: string[];
  constraints?: string[];
  nonGoals?: string[];
  protectedPaths?: string[];
  validation?: string[];
  review?: string;
  stop?: string;
  needs?: string[];
}

type Field = keyof ContractText;

const lists: ReadonlySet<Field> = new Set([
  'acceptance',
  'constraints',
  'nonGoals',
  'protectedPaths',
  'validation',
  'needs',
]);

const headings: Readonly<Record<string, Field>> = {
  goal: 'goal',
  kind: 'kind',
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
  review: 'review',
  reviewer: 'review',
  'review owner': 'review',
  'stop at': 'stop',
  needs: 'needs',
  'waits for': 'needs',
};

export function readContractMarkdown(source: string): ContractText {
  const contract: ContractText = {};
  let field: Field = 'goal';
  const seen = new Set<Field>();
  const lines = new Map<Field, string[]>();
  for (const line of source.split(/\r?\n/)) {
    const heading = /^(#{1,6})\s+(.+?)\s*#*$/.exec(line);
    if (heading?.[2] === undefined) {
      lines.set(field, [...(lines.get(field) ?? []), line]);
    } else if (heading[1] === '#' && contract.title === undefined) contract.title = heading[2];
    else {
      field = fieldOf(heading[2]);
      if (seen.has(field)) throw refused(`it has two sections for ${field}.`);
      seen.add(field);
    }
  }
  for (const [name, body] of lines) assign(contract, name, body);
  return contract;
}

function fieldOf(heading: string): Field {
  const words = heading
    .toLowerCase()
    .replaceAll(/[^a-z]+/g, ' ')
    .trim();
  const field = headings[words];
  if (field !== undefined) return field;
  throw refused(
    `it has a section "${heading}" that means nothing here. Known: ${[...new Set(Object.values(headings))].join(', ')}.`,
  );
}

function assign(contract: ContractText, field: Field, body: readonly string[]): void {
  const text = body.join('\n').trim();
  if (text === '') return;
  if (lists.has(field)) Object.assign(contract, { [field]: items(body) });
  else Object.assign(contract, { [field]: field === 'goal' ? text : text.replace(/^[-*]\s+/, '') });
}

/** List items; lines that follow an item indented belong to it. Code marks around a whole item are taken off. */
function items(body: readonly string[]): string[] {
  const found: string[] = [];
  for (const line of body) {
    const item = /^\s{0,3}(?:[-*+]|\d+[.)])\s+(?:\[[ xX]\]\s+)?(.+)$/.exec(line)?.[1];
    if (item !== undefined) found.push(item.trim());
    else if (line.trim() !== '' && found.length > 0) found.push(`${found.pop() ?? ''} ${line.trim()}`);
    else if (line.trim() !== '') found.push(line.trim());
  }
  return found.map((item) => /^`([^`]+)`$/.exec(item)?.[1] ?? item);
}

function refused(why: string): StaffettaError {
  return new StaffettaError('invalid-input', `The contract cannot be read: ${why}`);
}

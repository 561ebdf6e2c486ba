/**
 * What a client knows of its own calls: one line of JSON before each, one after it. A call without a second line was cut off, and nobody
 * knows what became of it. Times are of the machine's monotonic clock, so that those of several processes can be compared.
 */
import { readdirSync, readFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';

export interface Call {
  /** The idempotency key: the same in the journal's entry. */
  readonly key: string;
  readonly kind: string;
  readonly by: string;
  readonly from: number;
  /** What it takes to make the call again. */
  readonly task?: string;
  readonly generation?: number;
  readonly text?: string;
}

export interface Outcome {
  readonly key: string;
  readonly until: number;
  /** Where the change stands, if the client was told. */
  readonly task?: string;
  readonly seq?: number;
  readonly digest?: string;
  readonly generation?: number;
  readonly refused?: string;
}

export interface Operation extends Call {
  /** Every answer to calls with this key: two where it was made again after a cut. */
  readonly outcomes: readonly Outcome[];
}

export function now(): number {
  return Number(process.hrtime.bigint() / 1000n);
}

export function logLine(file: number, line: Call | Outcome): void {
  writeSync(file, `${JSON.stringify(line)}\n`);
}

export function readOperations(folder: string): Operation[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith('.calls'))
    .flatMap((name) => operationsIn(readFileSync(join(folder, name), 'utf8')));
}

/** A line that the kill cut off was told to nobody. */
export function operationsIn(text: string): Operation[] {
  const found = new Map<string, Call & { outcomes: Outcome[] }>();
  for (const line of text.split('\n').slice(0, -1)) {
    const read = JSON.parse(line) as Call | Outcome;
    const known = found.get(read.key);
    if ('until' in read) known?.outcomes.push(read);
    else if (known === undefined) found.set(read.key, { ...read, outcomes: [] });
  }
  return [...found.values()];
}

/**
 * Holds what clients were told against what the journals say. It shares no code with what it checks: entries are read as JSON,
 * hashed and followed here. What it holds, each sentence with the word that its faults begin with:
 *
 *   chain    entries are numbered without gaps, each names the one before it, digests fit, time never goes back
 *   holder   generations are started once and in order, and never while another one is on
 *   fence    an entry that carries a generation stands between the start and the end of that leg
 *   lost     what a client was told is there, where it was told
 *   ghost    what was refused is not there, and nothing is there that nobody asked for
 *   twice    a key stands in one entry at most, and every answer to it names that entry
 *   order    a call that began after another one was answered stands after it
 */
import { createHash } from 'node:crypto';
import type { Operation, Outcome } from './history.ts';

export interface JournalLine {
  readonly task: string;
  readonly position: number;
  readonly seq: number;
  readonly digest: string;
  readonly body: string;
}

interface Body {
  readonly seq: number;
  readonly prev: string | null;
  readonly at: number;
  readonly key?: string;
  readonly generation?: number;
  readonly events: readonly { readonly type: string; readonly generation?: number }[];
}

interface Read extends JournalLine {
  readonly entry: Body;
}

export function historyFaults(lines: readonly JournalLine[], operations: readonly Operation[]): string[] {
  const read = lines.map(parsed);
  const faults = journalFaults(lines);
  const byKey = Map.groupBy(
    read.filter(({ entry }) => entry.key !== undefined),
    ({ entry }) => entry.key ?? '',
  );
  faults.push(...callFaults(byKey, operations), ...orderFaults(byKey, operations));
  return faults;
}

/** What the journals alone can say: chain, holder and fence. */
export function journalFaults(lines: readonly JournalLine[]): string[] {
  const journals = Map.groupBy(lines.map(parsed), ({ task }) => task);
  return [...journals.values()].flatMap((journal) => {
    journal.sort((a, b) => a.seq - b.seq);
    return [...chainFaults(journal), ...legFaults(journal)];
  });
}

function parsed(line: JournalLine): Read {
  return { ...line, entry: JSON.parse(line.body) as Body };
}

function chainFaults(journal: readonly Read[]): string[] {
  const faults: string[] = [];
  let before: Read | undefined;
  for (const line of journal) {
    const { task, seq, digest, body, entry } = line;
    const where = `chain: ${task} ${seq}`;
    const sum = createHash('sha256').update(`staffetta/entry/v1\n${body}`).digest('hex');
    if (`sha256:${sum}` !== digest) faults.push(`${where}: its digest does not fit`);
    if (seq !== (before === undefined ? 0 : before.seq + 1) || entry.seq !== seq)
      faults.push(`${where}: it follows ${before?.seq} and says ${entry.seq}`);
    if (entry.prev !== (before?.digest ?? null)) faults.push(`${where}: it continues something else`);
    if (before !== undefined && entry.at < before.entry.at) faults.push(`${where}: time goes back`);
    before = line;
  }
  return faults;
}

function legFaults(journal: readonly Read[]): string[] {
  const faults: string[] = [];
  let holding: number | null = null;
  let last = 0;
  for (const { task, seq, entry } of journal) {
    if (entry.generation !== undefined && entry.generation !== holding)
      faults.push(`fence: ${task} ${seq}: generation ${entry.generation} wrote while ${holding} held it`);
    for (const { type, generation = 0 } of entry.events) {
      if (type === 'leg-started') {
        if (holding !== null)
          faults.push(`holder: ${task} ${seq}: ${generation} began while ${holding} held it`);
        if (generation !== last + 1) faults.push(`holder: ${task} ${seq}: ${generation} follows ${last}`);
        holding = generation;
        last = generation;
      } else if (type === 'leg-ended' || type === 'leg-lapsed') {
        if (generation !== holding)
          faults.push(`holder: ${task} ${seq}: ${generation} ended, not ${holding}`);
        holding = null;
      }
    }
  }
  return faults;
}

function callFaults(byKey: ReadonlyMap<string, readonly Read[]>, operations: readonly Operation[]): string[] {
  const faults: string[] = [];
  const asked = new Set(operations.map(({ key }) => key));
  for (const [key, entries] of byKey) {
    if (entries.length > 1) faults.push(`twice: ${key} stands in ${entries.length} entries`);
    if (!asked.has(key)) faults.push(`ghost: ${key} is in a journal, and nobody asked for it`);
  }
  for (const { key, kind, outcomes } of operations) {
    const [stored] = byKey.get(key) ?? [];
    for (const outcome of outcomes) {
      if (outcome.refused !== undefined) {
        // Refused for good only where no other call with the key succeeded.
        if (stored !== undefined && outcomes.every(({ refused }) => refused !== undefined))
          faults.push(`ghost: ${kind} ${key} was refused (${outcome.refused}) and is there`);
      } else if (outcome.task !== undefined) faults.push(...toldFaults(`${kind} ${key}`, outcome, stored));
    }
  }
  return faults;
}

function toldFaults(what: string, told: Outcome, stored: Read | undefined): string[] {
  if (stored?.task !== told.task) return [`lost: ${what} was acknowledged and is not there`];
  if (told.seq !== undefined && (stored?.seq !== told.seq || stored.digest !== told.digest))
    return [`lost: ${what} was acknowledged as ${told.task} ${told.seq} and is ${stored?.seq}`];
  const started = stored?.entry.events.find(({ type }) => type === 'leg-started')?.generation;
  if (told.generation !== undefined && told.generation !== started)
    return [`lost: ${what} was granted generation ${told.generation}, and the journal says ${started}`];
  return [];
}

/** In the order of the commits: a call that was answered before another began must stand before it. */
function orderFaults(
  byKey: ReadonlyMap<string, readonly Read[]>,
  operations: readonly Operation[],
): string[] {
  const spans = operations.flatMap(({ key, from, outcomes }) => {
    const position = byKey.get(key)?.[0]?.position;
    if (position === undefined) return [];
    const until = Math.min(...outcomes.filter(({ task }) => task !== undefined).map((one) => one.until));
    return [{ key, from, until, position }];
  });
  spans.sort((a, b) => a.position - b.position);
  const faults: string[] = [];
  let latest = { key: '', from: -Infinity };
  for (const { key, from, until } of spans) {
    if (until < latest.from)
      faults.push(`order: ${key} was answered before ${latest.key} began, and stands after it`);
    if (from > latest.from) latest = { key, from };
  }
  return faults;
}

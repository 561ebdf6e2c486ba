/** What must be refused, made from what must be read. */
import { canonical } from '../../src/core/journal/canonical.ts';
import type { Digest } from '../../src/core/journal/digest.ts';
import { entryDigest } from '../../src/core/journal/entry.ts';

export interface Line {
  readonly body: string;
  readonly digest: Digest;
}

export interface Bad {
  readonly file: string;
  readonly intent: string;
  readonly refused: string;
}

interface Raw {
  readonly seq: number;
  readonly prev: Digest | null;
  readonly events: readonly Record<string, unknown>[];
}

/** The same journal with one entry rewritten and everything after it chained anew, as a forger would. */
function forged(lines: readonly Line[], at: number, change: (entry: Raw) => unknown): Line[] {
  let prev: Digest | null = null;
  return lines.map((line, seq) => {
    const raw = { ...(JSON.parse(line.body) as Raw), prev };
    const body = canonical(seq === at ? change(raw) : raw);
    prev = entryDigest(body);
    return { body, digest: prev };
  });
}

function without<T>(list: readonly T[], at: number): T[] {
  return list.filter((_, n) => n !== at);
}

function flipped({ body, digest }: Line): Line {
  return { body: body.replace('"kind":"agent"', '"kind":"ageot"'), digest };
}

export function badJournals(lines: readonly Line[], other: readonly Line[]): (Bad & { readonly lines: Line[] })[] {
  const event = (more: Record<string, unknown>) => (entry: Raw) => ({ ...entry, events: [more] });
  const swapped = [...lines.slice(0, 2), ...lines.slice(2, 4).toReversed(), ...lines.slice(4)];
  const holds = { type: 'leg-started', v: 1, generation: 9, offer: null, lane: 'audit', leaseMs: 1, leaseUntil: 1 };
  const journal = (file: string, intent: string, given: Line[], refused = 'corrupt') => ({
    file: `journals/${file}.jsonl`,
    intent,
    refused,
    lines: given,
  });
  return [
    journal('flipped', 'a flipped byte', lines.map((line, n) => (n === 1 ? flipped(line) : line))),
    journal('missing', 'an entry is missing', without(lines, 2)),
    journal('headless', 'the first entry is missing', without(lines, 0)),
    journal('reordered', 'two entries changed places', swapped),
    journal('duplicated', 'an entry is there twice', [...lines.slice(0, 3), ...lines.slice(2)]),
    journal('mixed', 'the end of another journal', [...lines.slice(0, 2), ...other.slice(2)]),
    journal('respelled', 'an entry that is not in canonical form', respelled(lines)),
    journal('garbage', 'an entry that is no JSON', [{ body: 'garbage', digest: entryDigest('garbage') }]),
    journal('unlawful', 'a sound chain with two holders', forged(lines, 2, event(holds))),
    journal('shapeless', 'an event without its fields', forged(lines, 2, event({ type: 'note', v: 1 }))),
    journal('eventless', 'an entry without events', forged(lines, 2, (entry) => ({ ...entry, events: [] }))),
    journal('extra', 'an entry with a field nobody knows', forged(lines, 2, (entry) => ({ ...entry, mood: 'glad' }))),
    journal('future-entry', 'an entry from the future', forged(lines, 2, (entry) => ({ ...entry, v: 2 })), 'store-newer'),
    journal('future-event', 'an event from the future', forged(lines, 2, event({ type: 'note', v: 2 })), 'store-newer'),
    journal(
      'unknown-event',
      'a type of event from the future',
      forged(lines, 2, event({ type: 'task-teleported', v: 1, to: 'mars' })),
      'store-newer',
    ),
  ];
}

function respelled(lines: readonly Line[]): Line[] {
  let prev: Digest | null = null;
  return lines.map((line, seq) => {
    const sorted = canonical({ ...(JSON.parse(line.body) as Raw), prev });
    const body = seq === 1 ? sorted.replace('{"at":', '{ "at":') : sorted;
    prev = entryDigest(body);
    return { body, digest: prev };
  });
}

type BadBytes = Bad & { readonly bytes: string | Uint8Array };

export function badPackets(): BadBytes[] {
  return [
    { file: 'packets/garbage', intent: 'a packet that is no JSON', refused: 'corrupt', bytes: 'garbage' },
    { file: 'packets/not-text', intent: 'a packet that is no text', refused: 'corrupt', bytes: Uint8Array.of(0xff, 0xfe) },
    { file: 'packets/shapeless', intent: 'a packet without its fields', refused: 'corrupt', bytes: '{"v":1}' },
    { file: 'packets/future', intent: 'a packet from the future', refused: 'store-newer', bytes: '{"facts":{},"v":2}' },
  ];
}

export function badContracts(): BadBytes[] {
  return [
    { file: 'contracts/garbage', intent: 'a contract that is no JSON', refused: 'corrupt', bytes: 'garbage' },
    { file: 'contracts/shapeless', intent: 'a contract without a goal', refused: 'corrupt', bytes: '{"title":"x","v":1}' },
    { file: 'contracts/future', intent: 'a contract from the future', refused: 'store-newer', bytes: '{"aim":"x","v":2}' },
  ];
}

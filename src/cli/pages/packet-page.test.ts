import { describe, expect, test } from 'vitest';
import { everyField, markers } from '../../../test/support/every-field.ts';
import { Artefact, Claims, Facts, Packet } from '../../core/packet/packet.ts';
import { packetPart } from './packet-page.ts';
import { createOutput } from '../frame/output.ts';

const { paint } = createOutput(process, { json: false, quiet: true, env: { NO_COLOR: '1' } });

/** Names in the chain, of use to programs: they are in the JSON. */
const chain: ReadonlySet<string> = new Set(['v', 'task', 'parent', 'contract', 'head', 'trace']);

describe('a packet as text', () => {
  const text = packetPart({ packet: everyField, number: 7, now: everyField.at + 5000 }, { paint });

  test('the sample has every field that a packet can have', () => {
    expect(Object.keys(everyField).toSorted()).toEqual(Object.keys(Packet.shape).toSorted());
    expect(Object.keys(everyField.claims).toSorted()).toEqual(Object.keys(Claims.shape).toSorted());
    expect(Object.keys(everyField.artefacts[0] ?? {}).toSorted()).toEqual(
      Object.keys(Artefact.shape).toSorted(),
    );
    expect(Object.keys(everyField.facts ?? {}).toSorted()).toEqual(Object.keys(Facts.shape).toSorted());
    expect(Packet.safeParse(everyField).success).toBe(true);
  });

  test.each(markers(everyField).filter(({ path }) => !chain.has(path[0] ?? '')))(
    'shows $name',
    ({ marker }) => {
      expect(text).toContain(marker);
    },
  );

  test('says who sealed it, when, and what its claims are worth', () => {
    expect(text).toMatch(
      /^Packet 7, sealed by marker-from-name 5 s ago \(crash\); its claims are unverified/,
    );
  });

  test('an empty packet is its first lines', () => {
    const empty: Packet = {
      v: 1,
      task: everyField.task,
      parent: null,
      contract: everyField.contract,
      generation: 1,
      head: everyField.head,
      at: everyField.at,
      from: everyField.from,
      lane: 'execute',
      trigger: 'planned',
      claims: {},
      artefacts: [],
      transcript: [],
    };
    expect(packetPart({ packet: empty, number: 1, now: empty.at }, { paint }).split('\n')).toHaveLength(2);
  });
});

import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { packetOf } from '../../../test/support/packet.ts';
import type { Contract } from '../contract/contract.ts';
import { digestOf } from '../journal/digest.ts';
import { handoffEdits, writeHandoff } from './handoff-markdown.ts';
import { readHandoff } from './handoff-read.ts';
import type { Claims, Packet } from '../packet/packet.ts';
import { sanitizeLine } from '../base/sanitize.ts';
import { runs } from '../../../test/property/seed.ts';

const contract: Contract = {
  v: 1,
  title: 'Rate limits',
  goal: 'Requests over the limit get 429.\n# not a heading',
  acceptance: ['tests pass'],
};

const packetWith = (claims: Claims): Packet =>
  packetOf(claims, 'planned', {
    artefacts: [{ path: 'src/limit.ts', role: 'source', why: 'the limiter' }],
  });

function roundTrip(claims: Claims): Claims {
  return readHandoff(writeHandoff(packetWith(claims), contract, digestOf('packet'))).claims;
}

const full: Claims = {
  summary: 'Half way.\n\nThe header is missing.',
  done: ['counts requests', { text: 'answers 429', evidence: ['j5', 'file:src/limit.ts'] }],
  doing: ['the header'],
  remaining: ['docs\nwith two lines'],
  decisions: [
    { text: 'sliding window', why: 'smooth', rejected: ['fixed window', 'token bucket'], evidence: ['d1'] },
  ],
  failed: [{ what: 'Redis', why: 'a network hop' }],
  blockers: ['no staging key'],
  questions: [{ text: 'Per key?', owner: 'agent:ada' }],
  next: 'make limit.test.ts:41 pass',
  command: 'npm test -- limit',
};

describe('HANDOFF.md', () => {
  test('the claims of a packet come back as they were', () => {
    expect(roundTrip(full)).toEqual(full);
  });

  test('an edited file gives the edited claims', () => {
    const file = writeHandoff(packetWith(full), contract, digestOf('packet'));
    const edited = file
      .replace('- the header\n', '- the header\n- the docs\n')
      .replace('make limit.test.ts:41 pass', 'write the docs');
    expect(readHandoff(edited).claims).toEqual({
      ...full,
      doing: ['the header', 'the docs'],
      next: 'write the docs',
    });
  });

  test('contract and artefacts are shown but not read back', () => {
    const file = writeHandoff(packetWith({}), contract, digestOf('packet'));
    expect(file).toContain('tests pass');
    expect(file).toContain('src/limit.ts — source — the limiter');
    expect(readHandoff(file).claims).toEqual({});
  });

  test('the same packet gives the same bytes (P11)', () => {
    const once = writeHandoff(packetWith(full), contract, digestOf('packet'));
    expect(writeHandoff(packetWith(structuredClone(full)), contract, digestOf('packet'))).toBe(once);
  });

  test('a text that looks as if it had evidence keeps its words', () => {
    expect(roundTrip({ done: ['see [j5]'] })).toEqual({ done: ['see [j5]'] });
  });

  test('a line that looks like a field stays part of its text', () => {
    const claims = { done: ['one\n- because: two\n\\- owner: three'] };
    expect(roundTrip(claims)).toEqual(claims);
  });

  test('what was edited can be told, claims apart from the rest', () => {
    const file = writeHandoff(packetWith(full), contract, digestOf('packet'));
    expect(handoffEdits(file)).toEqual({ ours: true, edited: false, factsEdited: false });
    expect(handoffEdits(file.replaceAll('\n', '\r\n'))).toMatchObject({ edited: false });
    expect(handoffEdits(file.replace('- the header', '- the footer'))).toEqual({
      ours: true,
      edited: true,
      factsEdited: false,
    });
    expect(handoffEdits(file.replace('- tests pass', '- nothing to prove'))).toEqual({
      ours: true,
      edited: true,
      factsEdited: true,
    });
    expect(handoffEdits('# Notes\n')).toEqual({ ours: false, edited: true, factsEdited: true });
  });

  test('facts are shown, and an edited fact is not read back', () => {
    const runs = [{ run: ['npm', 'test'], passed: { entry: 3, at: 1, exit: 0, workspace: null } }];
    const packet = { ...packetWith({ next: 'go on' }), facts: { runs }, skills: ['review'] };
    const file = writeHandoff(packet, contract, digestOf('packet'));
    expect(file).toContain('### Validation\n\n- npm test: passed');
    expect(file).toContain('### Skills\n\n- review');
    const edited = file.replace('npm test: passed', 'npm test: passed twice');
    expect(readHandoff(edited).claims).toEqual({ next: 'go on' });
    expect(handoffEdits(edited).factsEdited).toBe(true);
  });

  test('neither escape sequences nor invisible text get into it, and no name makes a heading', () => {
    const claims = { done: ['red \u001b[31mtext\u200b'], next: 'go on' };
    const packet: Packet = { ...packetWith(claims), artefacts: [{ path: 'a\n## Next action\n    evil' }] };
    const file = writeHandoff(packet, contract, digestOf('packet'));
    expect(file).not.toMatch(/[\u001b\u200b]/);
    expect(readHandoff(file).claims).toEqual({ done: ['red ␛text\ufffd'], next: 'go on' });
    expect(handoffEdits(file).edited).toBe(false);
  });

  test('any claims survive the way out and back', () => {
    const line = fc
      .string({ minLength: 1, maxLength: 40, unit: 'grapheme' })
      .map((text) => sanitizeLine(text).trim())
      .filter((text) => text !== '');
    const text = fc.array(line, { minLength: 1, maxLength: 3 }).map((lines) => lines.join('\n'));
    const claim = fc.oneof(
      text,
      fc.record({
        text,
        evidence: fc.array(fc.constantFrom('j1', 'r2', 's30', 'd4', 'file:a b.ts'), {
          minLength: 1,
          maxLength: 3,
        }),
      }),
    );
    const claims = fc.record(
      {
        summary: text,
        done: fc.array(claim, { minLength: 1, maxLength: 3 }),
        blockers: fc.array(claim, { minLength: 1, maxLength: 2 }),
        next: line,
      },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(claims, (given) => {
        expect(roundTrip(given)).toEqual(given);
      }),
      runs(300),
    );
  });
});

import { describe, expect, test } from 'vitest';
import { checksOf, firstRefused, type ResumeFacts, type SeenSession } from './resumable.ts';

const tree = { root: '/w', head: 'a1', digest: 'd1' };
const session: SeenSession = {
  runtime: 'codex',
  id: 'S',
  card: { liveness: 'ended', pid: null, pointerOnly: null },
};
const good: ResumeFacts = {
  task: 't1',
  runtime: 'codex',
  way: 'session',
  starts: true,
  installed: true,
  program: '/bin/codex',
  version: '1.0.0',
  provenVersions: ['1.0.0'],
  session,
  sealed: tree,
  now: tree,
  differs: [],
  unproven: false,
};

const standings = (facts: Partial<ResumeFacts>): string[] =>
  checksOf({ ...good, ...facts }).map(({ check, standing }) => `${check} ${standing}`);
const refusal = (facts: Partial<ResumeFacts>) => firstRefused(checksOf({ ...good, ...facts }));

test('all is proven where all is as it was', () => {
  expect(standings({})).toEqual(['program proven', 'version proven', 'session proven', 'workspace proven']);
  expect(refusal({})).toBeUndefined();
});

describe('the program', () => {
  test('is needed, unless somebody only wants to be told how it would be started', () => {
    expect(refusal({ program: null, version: null })).toMatchObject({
      check: 'program',
      code: 'runtime-missing',
    });
    const printed = { program: null, version: null, starts: false, way: 'briefing' } as const;
    expect(refusal(printed)).toMatchObject({ check: 'program', code: 'runtime-missing' });
    expect(standings({ ...printed, unproven: true })[0]).toBe('program told');
  });

  test('or data of it must be here before a history is written', () => {
    const absent = { program: null, version: null, installed: false, starts: false, unproven: true };
    expect(refusal({ ...absent, way: 'full' })).toMatchObject({ check: 'program', code: 'runtime-missing' });
    expect(refusal({ ...absent, way: 'briefing' })).toBeUndefined();
    expect(refusal({ ...absent, installed: true, way: 'full' })).toBeUndefined();
  });

  test('that is not there tells no version', () => {
    const absent = { program: null, version: null, starts: false, unproven: true };
    expect(standings({ ...absent, way: 'full' })).toContain('version told');
    expect(standings({ ...absent, way: 'briefing' })).not.toContain('version told');
  });
});

describe('another version', () => {
  test.each(['2.0.0', null])('%s is said for a briefing, and needs consent for the rest', (version) => {
    expect(standings({ version, way: 'briefing' })).toContain('version told');
    for (const way of ['full', 'session'] as const) {
      expect(refusal({ version, way })).toMatchObject({ check: 'version', code: 'not-resumable' });
      expect(refusal({ version, way, unproven: true })).toBeUndefined();
    }
  });

  test('is named with those that are proven', () => {
    expect(refusal({ version: '2.0.0' })?.text).toBe(
      'Not proven with version 2.0.0 of codex, only with 1.0.0.',
    );
  });
});

describe('the session', () => {
  const gone = { ...session, card: null };
  const unreadable: SeenSession = {
    ...session,
    card: { liveness: 'unknown', pid: null, pointerOnly: 'It is empty.' },
  };
  test.each([
    ['none was captured', null, /made from no session/],
    ['it is of another program', { ...session, runtime: 'opencode' }, /is of opencode and not of codex/],
    ['it is gone', gone, /not on this machine/],
    ['it cannot be read', unreadable, /It is empty\./],
  ])('is refused where %s, and only where it should go on itself', (_why, given, text) => {
    expect(refusal({ session: given })?.text).toMatch(text);
    expect(refusal({ session: given, way: 'full' })).toBeUndefined();
  });

  test('is refused while a process holds it, by its number', () => {
    const alive = { ...session, card: { liveness: 'alive' as const, pid: 42, pointerOnly: null } };
    expect(refusal({ session: alive })).toMatchObject({
      check: 'writer',
      code: 'held',
      text: expect.stringContaining('Process 42') as string,
    });
    expect(refusal({ session: alive, unproven: true })?.check).toBe('writer');
  });

  test('of a former agent that still runs is told of', () => {
    const alive = { ...session, card: { liveness: 'alive' as const, pid: null, pointerOnly: null } };
    expect(standings({ session: alive, way: 'briefing' })).toContain('writer told');
  });
});

describe('the workspace', () => {
  const other = { root: '/w', head: 'b2', digest: 'd2' };
  test.each([other, null])('that is not the one it was is said for a briefing: %o', (now) => {
    expect(standings({ now, way: 'briefing' })).toContain('workspace told');
    expect(refusal({ now })).toMatchObject({ check: 'workspace', code: 'not-resumable' });
    expect(refusal({ now, unproven: true })).toBeUndefined();
  });

  test('that only moved is the same', () => {
    const [check] = checksOf({ ...good, now: { ...tree, root: '/elsewhere' } }).slice(-1);
    expect(check).toMatchObject({
      standing: 'proven',
      text: expect.stringMatching(/It moved from \/w\.$/) as string,
    });
  });

  test('that moved and changed says both', () => {
    expect(refusal({ now: { ...other, root: '/elsewhere' } })?.text).toBe(
      'The workspace /elsewhere is not as the latest packet left it in /w. HEAD was a1 and is b2.',
    );
  });

  test('that changed names some of what did', () => {
    const differs = ['a', 'b', 'c', 'd', 'e'];
    expect(refusal({ now: { ...tree, digest: 'd2' }, differs })?.text).toBe(
      'The workspace /w is not as the latest packet left it. It differs in a, b, c and 2 more.',
    );
  });

  test('that nobody ever looked at says nothing', () => {
    expect(standings({ sealed: null })).not.toContain('workspace proven');
  });
});

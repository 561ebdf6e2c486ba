import { userInfo } from 'node:os';
import { describe, expect, test } from 'vitest';
import {
  programOfClient,
  speakerAt,
  type Door,
  type FromHost,
  type FindRecorded,
  type RecordedSpeaker,
} from './speaker.ts';

type Env = Door['env'];

const refuse = (message: string): Error => new Error(message);
const atTerminal = (asserted: NonNullable<Door['asserted']>, env: Env, recorded?: FindRecorded) =>
  speakerAt({ env, refuse, asserted, ...(recorded === undefined ? {} : { recorded }) });
const overConnection = (env: Env, host: FromHost, recorded?: FindRecorded) =>
  speakerAt({ env, refuse, host, ...(recorded === undefined ? {} : { recorded }) });
const goneOn = (): RecordedSpeaker => ({ session: 'after', agent: 'claude-code-after' });

const neverAsked = (): never => {
  throw new Error('looked for');
};

const allSaid = {
  STAFFETTA_AS: 'code',
  STAFFETTA_RUNTIME: 'mine',
  STAFFETTA_SESSION: 's-1',
  STAFFETTA_LANE: 'execute',
  STAFFETTA_LINEAGE: 'boss, ceo,',
  CLAUDECODE: '1',
};

describe('at both doors', () => {
  test.each<[string, (recorded?: FindRecorded) => unknown]>([
    ['at a terminal', (recorded) => atTerminal({}, allSaid, recorded)],
    [
      'over a connection',
      (recorded) => overConnection(allSaid, { client: 'opencode', meta: { threadId: 'other' } }, recorded),
    ],
  ])('%s the environment comes before what is found', (_, speak) => {
    expect(speak(() => ({ session: 'recorded', agent: 'recorded', runtime: 'codex' }))).toEqual({
      name: 'code',
      kind: 'agent',
      lane: 'execute',
      runtime: 'mine',
      session: 's-1',
      lineage: ['boss', 'ceo'],
    });
  });

  test('a record says who speaks in its own session, and not in another', () => {
    const inside = { CLAUDECODE: '1' };
    const elsewhere = { ...inside, STAFFETTA_SESSION: 'elsewhere' };
    for (const speak of [
      (env: Env) => atTerminal({}, env, goneOn),
      (env: Env) => overConnection(env, {}, goneOn),
    ]) {
      expect(speak(inside)).toMatchObject({ name: 'claude-code-after', session: 'after' });
      expect(speak(elsewhere)).toMatchObject({ name: 'claude-code', session: 'elsewhere' });
    }
  });

  test.each([
    [{ as: 'two words' }, {}, '--as takes a name, not "two words".'],
    [{ as: 'x\u0007' }, {}, '--as takes a name, not "x\\u0007".'],
    [{ runtime: '-x' }, {}, '--runtime takes a name'],
    [{}, { STAFFETTA_AS: 'a/../b' }, 'STAFFETTA_AS takes a name'],
    [{}, { STAFFETTA_LANE: 'audti' }, 'STAFFETTA_LANE takes one of plan'],
    [{}, { STAFFETTA_LINEAGE: 'ok,not ok' }, 'STAFFETTA_LINEAGE takes a name, not "not ok".'],
    [{}, { STAFFETTA_LINEAGE: 'a,'.repeat(40) }, 'STAFFETTA_LINEAGE takes at most 32 names.'],
    [{}, { STAFFETTA_SESSION: 's'.repeat(201) }, 'STAFFETTA_SESSION takes at most 200 characters.'],
  ])('%j with %j is refused by the name of where it came from', (asserted, env, message) => {
    expect(() => speakerAt({ env, refuse, asserted, host: {} })).toThrow(message);
    expect(() => speakerAt({ env, refuse, asserted })).toThrow(message);
  });

  test('a runtime that is nearly a known one is refused, wherever it was said', () => {
    expect(() => atTerminal({ runtime: 'codx' }, {})).toThrow('--runtime codx is not a runtime');
    expect(() => overConnection({ STAFFETTA_RUNTIME: 'Claud' }, {})).toThrow(
      'STAFFETTA_RUNTIME=Claud is not',
    );
    expect(atTerminal({}, { STAFFETTA_RUNTIME: 'Claude' }).runtime).toBe('claude-code');
    expect(atTerminal({ runtime: 'mine' }, {}).runtime).toBe('mine');
  });
});

describe('at a terminal', () => {
  test('what the call says comes first', () => {
    expect(atTerminal({ as: 'ada', lane: 'audit', runtime: 'codex' }, allSaid)).toMatchObject({
      name: 'ada',
      lane: 'audit',
      runtime: 'codex',
    });
  });

  test.each([
    ['CLAUDECODE', 'claude-code'],
    ['CODEX_SANDBOX', 'codex'],
    ['GEMINI_CLI', 'gemini-cli'],
    ['OPENCODE', 'opencode'],
  ])('inside an agent that sets %s nobody is taken for a person', (variable, runtime) => {
    expect(atTerminal({}, { [variable]: '1' })).toEqual({ name: runtime, kind: 'agent', runtime });
  });

  test('whatever an agent spawned is never taken for a person', () => {
    expect(atTerminal({}, { STAFFETTA_LINEAGE: 'coder,boss' })).toEqual({
      name: 'coder',
      kind: 'agent',
      lineage: ['coder', 'boss'],
    });
    expect(atTerminal({}, { STAFFETTA_LINEAGE: ' , ' })).toMatchObject({ kind: 'human' });
  });

  test('else it is the person, and no record is looked for', () => {
    expect(atTerminal({}, {}, neverAsked)).toEqual({ name: userInfo().username, kind: 'human' });
    expect(atTerminal({}, { STAFFETTA_AS: '', CLAUDECODE: '' })).toMatchObject({ kind: 'human' });
  });
});

describe('over a connection', () => {
  test('it is the program and its session, where the host tells them', () => {
    const claude = { CLAUDECODE: '1', CLAUDE_CODE_SESSION_ID: 'c-1' };
    expect(overConnection(claude, {})).toEqual({
      name: 'claude-code',
      kind: 'agent',
      runtime: 'claude-code',
      session: 'c-1',
    });
    const meta = { threadId: 't-1', sessionId: 's-1' };
    expect(overConnection({}, { meta, client: 'codex-mcp-client' })).toEqual({
      name: 'codex',
      kind: 'agent',
      runtime: 'codex',
      session: 't-1',
    });
  });

  test('it is completed by what a hook recorded for that program', () => {
    const asked: unknown[] = [];
    const recorded = (...call: readonly unknown[]): RecordedSpeaker | undefined => {
      asked.push(call);
      return call[0] === 'gemini-cli' ? { session: 'g-1', agent: 'gemini-cli-g1' } : undefined;
    };
    expect(overConnection({}, { client: 'gemini-cli-mcp-client' }, recorded)).toMatchObject({
      name: 'gemini-cli-g1',
      session: 'g-1',
    });
    expect(overConnection({}, { client: 'stranger' }, recorded)).not.toHaveProperty('session');
    overConnection({}, { meta: { threadId: 't-1' }, client: 'codex-mcp-client' }, recorded);
    expect(asked).toEqual([
      ['gemini-cli', undefined],
      [undefined, undefined],
      ['codex', 't-1'],
    ]);
  });

  test('it is the session that the host went on in, where a hook has seen it', () => {
    const env = { CLAUDECODE: '1', CLAUDE_CODE_SESSION_ID: 'before' };
    expect(overConnection(env, {}, goneOn)).toMatchObject({ name: 'claude-code-after', session: 'after' });
    const meta = { threadId: 'other' };
    expect(overConnection(env, { meta }, goneOn)).toMatchObject({ name: 'claude-code', session: 'other' });
  });

  test('it is the connection itself where nothing names a session, unless a name says that two are one', () => {
    expect(overConnection({}, { connection: 'connection:1' })).toMatchObject({ session: 'connection:1' });
    expect(overConnection({ STAFFETTA_AS: 'code' }, { connection: 'connection:1' })).not.toHaveProperty(
      'session',
    );
  });

  test('it is an agent with the name of the client where nothing else is known', () => {
    expect(overConnection({}, { client: 'My IDE (beta)' })).toEqual({ name: 'My-IDE-beta-', kind: 'agent' });
    expect(overConnection({}, { client: '  …  ' })).toEqual({ name: 'mcp-client', kind: 'agent' });
    expect(overConnection({ STAFFETTA_AS: '' }, {})).toEqual({ name: 'mcp-client', kind: 'agent' });
  });

  test('an id that is none is left out, whatever a host sends', () => {
    for (const threadId of [7, {}, '', 'a b', 'x'.repeat(300), '\u001b[2J'])
      expect(overConnection({}, { meta: { threadId } })).not.toHaveProperty('session');
  });
});

test('clients are known by the beginning of their names, and no others', () => {
  expect(
    ['claude-code', 'Claude', 'codex-mcp-client', 'gemini-cli-mcp-client-v1', 'opencode', 'codexish', ''].map(
      programOfClient,
    ),
  ).toEqual(['claude-code', 'claude-code', 'codex', 'gemini-cli', 'opencode', undefined, undefined]);
});

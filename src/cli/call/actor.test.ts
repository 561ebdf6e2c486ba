import { userInfo } from 'node:os';
import { describe, expect, test } from 'vitest';
import { actorFrom } from './actor.ts';

describe('who speaks', () => {
  test('what the call says comes first', () => {
    const env = { STAFFETTA_AS: 'env', STAFFETTA_LANE: 'plan', CLAUDECODE: '1' };
    expect(actorFrom({ as: 'code', lane: 'execute', runtime: 'codex' }, env)).toEqual({
      name: 'code',
      kind: 'agent',
      lane: 'execute',
      runtime: 'codex',
    });
  });

  test('then what the environment established', () => {
    const env = {
      STAFFETTA_AS: 'env',
      STAFFETTA_LANE: 'audit',
      STAFFETTA_RUNTIME: 'mine',
      STAFFETTA_SESSION: 's1',
      STAFFETTA_LINEAGE: 'parent, grandparent,',
    };
    expect(actorFrom({}, env)).toEqual({
      name: 'env',
      kind: 'agent',
      lane: 'audit',
      runtime: 'mine',
      session: 's1',
      lineage: ['parent', 'grandparent'],
    });
  });

  test.each([
    ['CLAUDECODE', 'claude-code'],
    ['CODEX_SANDBOX', 'codex'],
    ['GEMINI_CLI', 'gemini-cli'],
    ['OPENCODE', 'opencode'],
  ])('inside an agent that sets %s nobody is taken for a person', (variable, runtime) => {
    expect(actorFrom({}, { [variable]: '1' })).toEqual({ name: runtime, kind: 'agent', runtime });
  });

  test('whatever an agent spawned is never taken for a person', () => {
    expect(actorFrom({}, { STAFFETTA_LINEAGE: 'coder,boss' })).toEqual({
      name: 'coder',
      kind: 'agent',
      lineage: ['coder', 'boss'],
    });
    expect(actorFrom({}, { STAFFETTA_LINEAGE: ' , ' })).toMatchObject({ kind: 'human' });
  });

  test('else it is the person at the terminal', () => {
    expect(actorFrom({}, {})).toEqual({ name: userInfo().username, kind: 'human' });
    expect(actorFrom({}, { STAFFETTA_AS: '', CLAUDECODE: '' })).toMatchObject({ kind: 'human' });
  });
});

describe('refused, by the name of where it came from', () => {
  test.each([
    [{ as: 'two words' }, {}, '--as takes a name, not "two words".'],
    [{ as: 'x\u0007' }, {}, '--as takes a name, not "x\\u0007".'],
    [{ runtime: '-x' }, {}, '--runtime takes a name'],
    [{}, { STAFFETTA_AS: 'a/../b' }, 'STAFFETTA_AS takes a name'],
    [{}, { STAFFETTA_LANE: 'audti' }, 'STAFFETTA_LANE takes one of plan'],
    [{}, { STAFFETTA_LINEAGE: 'ok,not ok' }, 'STAFFETTA_LINEAGE takes a name, not "not ok".'],
    [{}, { STAFFETTA_LINEAGE: 'a,'.repeat(40) }, 'STAFFETTA_LINEAGE takes at most 32 names.'],
    [{}, { STAFFETTA_SESSION: 's'.repeat(201) }, 'STAFFETTA_SESSION takes at most 200 characters.'],
  ])('%j %j', (asserted, env, message) => {
    expect(() => actorFrom(asserted, env)).toThrow(message);
  });
});

test('a runtime that is nearly a known one is refused, wherever it was said', () => {
  expect(() => actorFrom({ as: 'x', runtime: 'codx' }, {})).toThrow('--runtime codx is not a runtime');
  expect(() => actorFrom({ as: 'x' }, { STAFFETTA_RUNTIME: 'Claud' })).toThrow(
    'STAFFETTA_RUNTIME=Claud is not',
  );
  expect(actorFrom({ as: 'x' }, { STAFFETTA_RUNTIME: 'Claude' }).runtime).toBe('claude-code');
  expect(actorFrom({ as: 'x', runtime: 'mine' }, {}).runtime).toBe('mine');
});

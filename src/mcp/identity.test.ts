import { describe, expect, test } from 'vitest';
import { identityOf, runtimeOf, type BoundSpeaker } from './identity.ts';

const goneOn = (): BoundSpeaker => ({ session: 'after', agent: 'claude-code-after' });

describe('who calls', () => {
  test('is what the environment says before all else', () => {
    const env = {
      STAFFETTA_AS: 'code',
      STAFFETTA_RUNTIME: 'codex',
      STAFFETTA_SESSION: 's-1',
      STAFFETTA_LANE: 'execute',
      STAFFETTA_LINEAGE: 'boss, ceo',
      CLAUDECODE: '1',
    };
    const meta = { threadId: 'other' };
    expect(
      identityOf({ env, meta, client: 'opencode' }, () => ({ session: 'bound', agent: 'bound' })),
    ).toEqual({
      name: 'code',
      kind: 'agent',
      lane: 'execute',
      runtime: 'codex',
      session: 's-1',
      lineage: ['boss', 'ceo'],
    });
  });

  test('is the program and its session, where the host tells them', () => {
    const claude = { CLAUDECODE: '1', CLAUDE_CODE_SESSION_ID: 'c-1' };
    expect(identityOf({ env: claude })).toEqual({
      name: 'claude-code',
      kind: 'agent',
      runtime: 'claude-code',
      session: 'c-1',
    });
    const meta = { threadId: 't-1', sessionId: 's-1' };
    expect(identityOf({ env: {}, meta, client: 'codex-mcp-client' })).toEqual({
      name: 'codex',
      kind: 'agent',
      runtime: 'codex',
      session: 't-1',
    });
  });

  test('is completed by what a hook recorded for that program', () => {
    const asked: unknown[] = [];
    const bound = (...call: readonly unknown[]): BoundSpeaker | undefined => {
      asked.push(call);
      return call[0] === 'gemini-cli' ? { session: 'g-1', agent: 'gemini-cli-g1' } : undefined;
    };
    expect(identityOf({ env: {}, client: 'gemini-cli-mcp-client' }, bound)).toMatchObject({
      name: 'gemini-cli-g1',
      session: 'g-1',
    });
    expect(identityOf({ env: {}, client: 'stranger' }, bound)).not.toHaveProperty('session');
    identityOf({ env: {}, meta: { threadId: 't-1' }, client: 'codex-mcp-client' }, bound);
    expect(asked).toEqual([
      ['gemini-cli', undefined],
      [undefined, undefined],
      ['codex', 't-1'],
    ]);
  });

  test('is the session that the host went on in, where a hook has seen it', () => {
    const env = { CLAUDECODE: '1', CLAUDE_CODE_SESSION_ID: 'before' };
    expect(identityOf({ env }, goneOn)).toMatchObject({ name: 'claude-code-after', session: 'after' });
    const meta = { threadId: 'other' };
    expect(identityOf({ env, meta }, goneOn)).toMatchObject({ name: 'claude-code', session: 'other' });
  });

  test('is an agent with the name of the client where nothing else is known', () => {
    expect(identityOf({ env: {}, client: 'My IDE (beta)' })).toEqual({ name: 'My-IDE-beta-', kind: 'agent' });
    expect(identityOf({ env: {}, client: '  …  ' })).toEqual({ name: 'mcp-client', kind: 'agent' });
    expect(identityOf({ env: { STAFFETTA_AS: '' } })).toEqual({ name: 'mcp-client', kind: 'agent' });
  });

  test('is refused where the environment says what cannot be', () => {
    expect(() => identityOf({ env: { STAFFETTA_AS: '../x' } })).toThrow('STAFFETTA_AS takes a name');
    expect(() => identityOf({ env: { STAFFETTA_LANE: 'fast' } })).toThrow('STAFFETTA_LANE');
  });

  test('leaves out an id that is none, whatever a host sends', () => {
    for (const threadId of [7, {}, '', 'a b', 'x'.repeat(300), '\u001b[2J'])
      expect(identityOf({ env: {}, meta: { threadId } })).not.toHaveProperty('session');
  });
});

test('clients are known by the beginning of their names, and no others', () => {
  expect(
    ['claude-code', 'Claude', 'codex-mcp-client', 'gemini-cli-mcp-client-v1', 'opencode', 'codexish', ''].map(
      runtimeOf,
    ),
  ).toEqual(['claude-code', 'claude-code', 'codex', 'gemini-cli', 'opencode', undefined, undefined]);
});

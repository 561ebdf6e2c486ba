/** What a tool refuses is an answer that a model can act on: a code, what was wrong, and what to call next. */
import { join } from 'node:path';
import { rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { errorCodes } from '../../src/core/base/error.ts';
import { newFolder, staffetta } from '../cli/command.ts';
import { Agent, contract, words } from './client.ts';

describe('refusals', () => {
  test('of every tool name a known code, and leave nothing behind', async () => {
    const ada = await Agent.start('ada');
    const { data } = await ada.done('open', contract);
    const bea = await Agent.start('bea', { folder: ada.folder });
    const { task } = data;
    const wrong = [
      ['status', { task: 't0000' }, 'unknown-task'],
      ['open', { goal: '' }, 'invalid-input'],
      ['open', { goal: 'x', validation: ['npm test | tee log'] }, 'invalid-input'],
      ['open', { goal: 'x', review: 'lane:nowhere' }, 'invalid-input'],
      ['take', { task }, 'held'],
      ['take', { task, acknowledge: { goal: 'a', gate: 'b', next: 'c' } }, 'not-holder'],
      ['note', { task, text: 'x' }, 'not-holder'],
      ['note', { task }, 'invalid-input'],
      ['decide', { task, text: 'x', answer: 7 }, 'unknown-decision'],
      ['decide', { task, text: 'x', options: ['a'] }, 'invalid-input'],
      ['seal', { task }, 'not-holder'],
      ['seal', { task, as: 'handoff' }, 'invalid-input'],
      ['seal', { task, as: 'submit', to: 'anyone' }, 'invalid-input'],
      ['seal', { task, as: 'submit', trigger: 'crash' }, 'invalid-input'],
      ['seal', { task, why: 'lunch' }, 'invalid-input'],
      ['seal', { task, done: [{ text: 'x' }] }, 'invalid-input'],
      ['seal', { task, to: 'codexx' }, 'invalid-input'],
      ['seal', { task, to: 'human' }, 'invalid-input'],
      ['seal', { task, to: 'anyone' }, 'not-holder'],
      ['seal', { task, as: 'submit' }, 'not-holder'],
      ['read', { task, what: 'j999' }, 'unknown-evidence'],
      ['read', { task, what: 'nothing' }, 'unknown-evidence'],
      ['read', { task, what: 'file:../../etc/passwd' }, 'unknown-evidence'],
      ['read', { task, what: 'packet:abc' }, 'unknown-packet'],
      ['read', { task, what: 'contract', cursor: '7/8' }, 'invalid-input'],
      ['wait', { for: 'answer' }, 'invalid-input'],
      ['wait', { for: 'spring' }, 'invalid-input'],
    ] as const;
    for (const [tool, args, code] of wrong) {
      const error = await bea.refused(tool, args);
      expect({ tool, args, code: error.code }).toEqual({ tool, args, code });
      expect(errorCodes).toContain(error.code);
      expect(error.message.length).toBeGreaterThan(10);
    }
    expect((await ada.done('status', { task })).data).toMatchObject({
      about: { generation: 1, yours: true },
    });
    expect((await ada.done('note', { text: 'still mine' })).data).toMatchObject({ entry: 1 });
  });

  test('of a packet that is not ready list findings with their fixes', async () => {
    const ada = await Agent.start('ada');
    await ada.done('open', { goal: 'Make it better' });
    const error = await ada.refused('seal', { to: 'anyone' });
    expect(error.code).toBe('not-ready');
    expect(error.findings?.map(({ rule }) => rule)).toContain('next-action');
    expect(error.findings?.every(({ fix }) => fix.length > 0)).toBe(true);
    expect(error.next).toEqual(['mend what the findings list, then make the same call again']);
  });

  test('for want of an acknowledgement name the call that gives it', async () => {
    const ada = await Agent.start('ada');
    const { data } = await ada.done('open', { ...contract, to: 'anyone' });
    const { task } = data;
    await ada.done('take', { task });
    const error = await ada.refused('seal', { ...words, to: 'agent:bea' });
    expect(error.code).toBe('not-acknowledged');
    expect(error.next[0]).toBe(
      `take {"task":"${String(task)}","acknowledge":{"goal":"TEXT","gate":"TEXT","next":"TEXT"}}`,
    );
    expect(error.hint).toBe(
      `Restate goal, gate and next action first: the tool take with task ${String(task)} and acknowledge: { goal, gate, next }`,
    );
  });

  test('in an emergency a packet that has the essentials goes out, and says what it lacks', async () => {
    const ada = await Agent.start('ada');
    await ada.done('open', { goal: 'Make it better' });
    const hasty = { to: 'anyone', trigger: 'context-limit', nextAction: 'dig' };
    const error = await ada.refused('seal', hasty);
    expect(error.findings?.map(({ fix }) => fix)).toEqual([expect.stringContaining('or review: "human"')]);
    const { data } = await ada.done('seal', { ...hasty, review: 'human' });
    expect(data['missing']).toContainEqual(expect.stringContaining('the state of the work'));
  });

  test('of a wait for a review that nobody was asked for say that it must be submitted', async () => {
    const ada = await Agent.start('ada');
    const { data } = await ada.done('open', contract);
    const { task } = data;
    const error = await ada.refused('wait', { for: 'review', task, seconds: 20 });
    expect(error).toMatchObject({
      code: 'wrong-state',
      message: `Task ${String(task)} is not under review: it is held.`,
    });
    expect(error.hint).toContain('submit');
    const offered = await ada.done('open', { ...contract, to: 'anyone' });
    expect((await ada.refused('wait', { for: 'review', task: offered.data['task'] })).code).toBe(
      'wrong-state',
    );
  });

  test('speak of arguments that the tools have, and of commands that can be run', async () => {
    const ada = await Agent.start('ada');
    const opened = await ada.done('open', { goal: 'Make it better' });
    const { findings } = opened.data as { findings: readonly { rule: string; fix: string }[] };
    const fixes = new Map(findings.map(({ rule, fix }) => [rule, fix]));
    expect(fixes.get('gate-missing')).toContain('acceptance: ["…"], validation: ["…"] or review: "human"');
    expect([...fixes.values()].join(' ')).not.toMatch(/ --[a-z]/);
    const error = await ada.refused('seal', { to: 'anyone' });
    expect(error.findings?.map(({ fix }) => fix).join(' ')).not.toMatch(/ --[a-z]/);
    const proven = await Agent.start('bea');
    await proven.done('open', contract);
    const unproven = await proven.refused('seal', { ...words, as: 'submit' });
    expect(unproven.findings?.map(({ fix }) => fix).join(' ')).toMatch(/bin\/staffetta\.cjs validate/);
  });

  test('of an argument of the wrong shape say what it is for', async () => {
    const ada = await Agent.start('ada');
    const validation = await ada.refused('open', { goal: 'x', validation: [7] });
    expect(validation.hint).toContain('validation takes: Commands that prove it');
    expect(validation.next).toEqual(['mend the arguments, then make the same call again']);
    expect((await ada.refused('read', {})).hint).toContain('what (needed) takes: ');
  });

  test('of an unknown argument guess what was meant', async () => {
    const ada = await Agent.start('ada');
    const error = await ada.refused('open', { gaol: 'x' });
    expect(error.message).toContain('"gaol"');
    expect(error.hint).toContain('Did you mean goal?');
  });
});

describe('files', () => {
  test('outside the workspace are not taken in as a transcript, also not through a link', async () => {
    const ada = await Agent.start('ada');
    await ada.done('open', contract);
    const secret = join(newFolder(), 'secret.txt');
    writeFileSync(secret, 'not for the agent\n');
    symlinkSync(secret, join(ada.folder, 'link.txt'));
    for (const transcript of [secret, 'link.txt'])
      expect((await ada.refused('seal', { ...words, transcript })).code).toBe('unsafe-path');
    for (const what of [`file:${secret}`, 'file:link.txt'])
      expect((await ada.refused('read', { what })).code).toBe('unknown-evidence');
  });
});

describe('generations', () => {
  test('a leg that was granted here and is over stays refused, even for the same name', async () => {
    const ada = await Agent.start('ada');
    const { data } = await ada.done('open', contract);
    const { task } = data;
    // Somebody else with the same name ends the leg and takes the next one.
    const other = await Agent.start('ada', { folder: ada.folder });
    await other.done('seal', { ...words, task, to: 'agent:ada' });
    await other.done('take', { task });
    const error = await ada.refused('note', { text: 'still working' });
    expect(error.code).toBe('stale-generation');
    expect(error.message).toContain('Generation 1');
    expect(error.next[0]).toBe('stop working on this task');
    expect((await ada.refused('seal', words)).code).toBe('stale-generation');
    expect((await other.done('note', { text: 'mine now' })).data).toMatchObject({ generation: 2 });
  });

  test('the generation that the process was given, or the call names, is what counts', async () => {
    const ada = await Agent.start('ada');
    const { data } = await ada.done('open', contract);
    const task = String(data['task']);
    const former = await Agent.start('ada', { folder: ada.folder, env: { STAFFETTA_LEG: `${task}/7` } });
    expect((await former.refused('note', { text: 'x' })).code).toBe('stale-generation');
    expect((await ada.refused('note', { text: 'x', generation: 0 })).code).toBe('stale-generation');
    await ada.done('note', { text: 'x', generation: 1 });
    const bad = await Agent.start('ada', { folder: ada.folder, env: { STAFFETTA_LEG: 'nonsense' } });
    expect((await bad.refused('note', { text: 'x' })).message).toContain('STAFFETTA_LEG');
  });

  test('two connections of a program that names no session are two callers, and one that ends leaves its task', async () => {
    const client = 'gemini-cli-mcp-client';
    const first = await Agent.start('', { client });
    const { task } = (await first.done('open', contract)).data;
    const second = await Agent.start('', { client, folder: first.folder });
    expect((await second.done('status')).data).toMatchObject({ holding: [] });
    expect((await second.refused('note', { text: 'x' })).code).toBe('invalid-input');
    expect((await second.refused('seal', { task, to: 'codex', trigger: 'context-limit' })).code).toBe(
      'not-holder',
    );
    await first.done('note', { text: 'still mine' });
    await first.close();
    await second.done('wait', { for: 'offer', seconds: 50 });
    await second.done('take', { task });
    await second.done('note', { text: 'mine now' });
  });

  test('two sessions of one program are told apart', async () => {
    const first = await Agent.start('', { client: 'codex-mcp-client' });
    const meta = { threadId: '0199aaaa-0000-7000-8000-000000000001' };
    const opened = await first.call('open', contract, { meta });
    expect(opened.data).toMatchObject({ holder: 'codex' });
    const { task } = opened.data;
    const other = { threadId: '0199bbbb-0000-7000-8000-000000000002' };
    const { error } = await first.call('note', { task, text: 'x' }, { meta: other });
    expect(error).toMatchObject({ code: 'not-holder' });
    expect((await first.call('note', { text: 'x' }, { meta })).error).toBeUndefined();
    expect((await first.call('note', { text: 'x' }, { meta: other })).error?.message).toContain(
      'Which task?',
    );
  });
});

describe('the store', () => {
  test('that is not there yet is missed by all but status and open', async () => {
    const ada = await Agent.start('ada');
    const error = await ada.refused('take');
    expect(error.code).toBe('store-missing');
    expect(error.next).toEqual(['open {"goal":"TEXT"}']);
    await ada.done('open', contract);
    expect((await ada.done('take')).data).toMatchObject({ task: null });
  });

  test('that is taken away under a running server is not written to any more', async () => {
    const ada = await Agent.start('ada');
    await ada.done('open', contract);
    rmSync(join(ada.folder, '.staffetta'), { recursive: true });
    expect((await ada.refused('note', { text: 'into nothing' })).code).toBe('store-missing');
    const again = await ada.done('open', contract);
    const seen = await staffetta(['show', String(again.data['task']), '--json'], { cwd: ada.folder });
    expect(seen.json).toMatchObject({ status: 'held' });
  });

  test('that is no store is refused, and the server goes on', async () => {
    const store = join(newFolder(), 'store.db');
    writeFileSync(store, 'not a database, but long enough to look like a file of some kind\n'.repeat(40));
    const ada = await Agent.start('ada', { store });
    expect((await ada.refused('take')).code).toMatch(/^(?:corrupt|store-unsupported|store-io)$/);
    expect((await ada.client.listTools()).tools).toHaveLength(8);
  });
});

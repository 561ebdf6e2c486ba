import { describe, expect, test } from 'vitest';
import { storyOfSteps } from '../../../test/support/story.ts';
import { createRedactor } from '../../core/redact/redactor.ts';
import type { ToolCall, Result } from '../../core/transcript/step.ts';
import type { Cursor } from '../../ports/runtime.ts';
import { sessionDraft } from '../sessions/draft-session.ts';
import { searchedWords } from './searched-words.ts';

const context = { redactor: async () => createRedactor({ key: Buffer.alloc(32, 3) }) };
const token = ['k3JxV9', 'tqL2mW', 'z8RbN5', 'yHc0Ds'].join('');

async function drafted(...said: string[]): Promise<string> {
  const work = storyOfSteps(said.map((text) => ['user', text] as const));
  const { work: searched } = await searchedWords(context, { work });
  return JSON.stringify(sessionDraft(searched));
}

test('a token that a user pasted stands in no drafted contract, wherever it is quoted or cut', async () => {
  const texts = [
    `Please call the export endpoint with ${token} as the token.`,
    `The header is Authorization: Bearer ${token}`,
  ];
  expect(await drafted(...texts)).toContain('Please call the export endpoint with [redacted:');
  for (const order of [texts, texts.toReversed()])
    expect(await drafted(...order)).not.toContain(token.slice(0, 8));
});

test('nothing of it is left in a title that ends in the middle of it', async () => {
  const goal = `Please add a retry to the client that calls the export endpoint of billing with Authorization: Bearer ${token}${token}`;
  for (let at = 0; at < 24; at += 4)
    expect(await drafted(goal.slice(0, 7) + 'really '.repeat(at / 4) + goal.slice(7))).not.toContain(
      token.slice(0, 8),
    );
});

function bash(id: string, command: string): ToolCall {
  return { id, tool: 'Bash', args: { command } };
}

function passed(call: string): Result {
  return { call, text: 'ok', failed: false, passed: true, exit: 0 };
}

test('nor does one stand in an answer or in a command, and a command without its secret is not drafted', async () => {
  const key = `ghp_${'aB3dE5gH7j'.repeat(3)}K9mN1p`;
  const work = storyOfSteps([
    ['user', 'Please make the export of invoices stream its rows.'],
    [
      'agent',
      'I ask first.',
      {
        calls: [
          { id: 'a', tool: 'AskUserQuestion', args: { questions: [{ question: 'Which key?' }] } },
          bash('b', `GITHUB_TOKEN=${key} npm test`),
          bash('c', 'npm run lint'),
        ],
        results: [
          { call: 'a', text: key, failed: false, said: [{ text: key, question: 'Which key?' }] },
          passed('b'),
          passed('c'),
        ],
      },
    ],
  ]);
  expect(JSON.stringify(sessionDraft(work))).toContain(key);
  const { work: searched } = await searchedWords(context, { work });
  const { contract } = sessionDraft(searched);
  expect(JSON.stringify(sessionDraft(searched))).not.toContain(key);
  expect(contract.validation).toEqual([{ run: ['npm', 'run', 'lint'] }]);
});

test('a session that has a task is taken as it is', async () => {
  const work = storyOfSteps([['user', `The header is Authorization: Bearer ${token}`]]);
  const look = { work, bound: {} as NonNullable<Parameters<typeof searchedWords>[1]['bound']> };
  expect(await searchedWords(context, look)).toBe(look);
});

function seen(...records: string[]): NonNullable<Parameters<typeof searchedWords>[1]['seen']> {
  return {
    from: undefined,
    records: records.map((record) => Buffer.from(record)),
    end: { cursor: {} as Cursor, fromStart: false, omissions: [] },
  };
}

describe('a session of which all records were seen', () => {
  const redactor = createRedactor({ key: Buffer.alloc(32, 3) });
  const same = { redactor: async () => redactor };
  const work = storyOfSteps([['user', 'Please call the export endpoint.']]);

  test('is known to be clean, to a seal with the same redactor', async () => {
    const said = await searchedWords(same, {
      work,
      seen: seen('{"text":"Please call the export endpoint."}'),
    });
    expect(said.seen?.cleanBy).toBe(redactor);
  });

  test('is not, where one of them holds a secret, or others came before them', async () => {
    const secret = seen('{"text":"Please."}', JSON.stringify({ header: `Authorization: Bearer ${token}` }));
    const later = { ...seen('{"text":"Please."}'), from: {} as Cursor };
    for (const records of [secret, later])
      expect((await searchedWords(same, { work, seen: records })).seen?.cleanBy).toBeUndefined();
  });
});

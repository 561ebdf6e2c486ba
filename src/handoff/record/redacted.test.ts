import { expect, test } from 'vitest';
import { createRedactor } from '../../core/redact/redactor.ts';
import { digestOf } from '../../core/journal/digest.ts';
import { redactedCommand, redactedTexts, refuseSecretCaller } from './redacted.ts';

const redactor = createRedactor({ key: Buffer.alloc(32, 5) });
const secret = `ghp_${'Ab3dE6gH9j'.repeat(3)}Klm4Pq`;

async function known(): Promise<typeof redactor> {
  return await Promise.resolve(redactor);
}

async function refuseToMake(): Promise<never> {
  throw new Error('A redactor was asked for.');
}

test('every text of a command is searched, however deep it stands', async () => {
  const command = {
    type: 'carry' as const,
    generation: 1,
    events: [{ type: 'decision-made' as const, text: 'Use it.', rejected: ['none', `with ${secret}`] }],
  };
  const redacted = await redactedCommand(async () => redactor, command);
  expect(JSON.stringify(redacted)).not.toContain(secret);
  expect(redacted).toMatchObject({ generation: 1, events: [{ text: 'Use it.' }] });
});

test('our own field names make nothing a secret', async () => {
  const value = {
    key: 'retry-2026-11-15-attempt',
    token: digestOf('a').slice(7, 39),
    secret: 'of the forest',
  };
  expect(await redactedTexts(redactor, value)).toBe(value);
});

test('what stands in somebody’s text under such a name is one', async () => {
  const name = 'DB_PASSWORD';
  const [text] = await redactedTexts(redactor, [`${name}=correct-Horse-7-battery`]);
  expect(text).toMatch(/^DB_PASSWORD=\[redacted:/);
});

test('a command without words needs no redactor', async () => {
  const command = { type: 'accept' as const, offer: 1, met: [], leaseMs: 1 };
  expect(await redactedCommand(refuseToMake, command)).toBe(command);
});

test('what things are found by is refused instead of changed, before anything happens', async () => {
  const effect = {
    type: 'intend-effect' as const,
    generation: 1,
    effect: `rotate-${secret}`,
    token: 'a',
    retry: false,
  };
  await expect(redactedCommand(known, effect)).rejects.toMatchObject({ code: 'invalid-input' });
  const offer = {
    type: 'offer' as const,
    offer: { to: `agent:${secret}` as const, lane: 'execute' as const },
  };
  await expect(redactedCommand(known, offer)).rejects.toThrow(/looks like a secret/);
  const by = { name: `bot-${secret}`, kind: 'agent' as const };
  await expect(refuseSecretCaller(known, { by })).rejects.toThrow(/looks like a secret/);
  const ada = { name: 'ada', kind: 'agent' as const };
  await expect(refuseSecretCaller(known, { by: ada, key: secret })).rejects.toThrow(/looks like a secret/);
  await expect(refuseSecretCaller(known, { by: ada, key: 'retry-7' })).resolves.toBeUndefined();
});

/** The example of docs/crew-lines.md does what the page says. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { LegSign, PermissionQuestion } from '../../src/ports/index.ts';
import { linesRunner } from '../../src/runners/lines.ts';

test('the command of the page is asked, asks, and ends its turn', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'staffetta-lines-'));
  const page = readFileSync(join(import.meta.dirname, '../../docs/crew-lines.md'), 'utf8');
  writeFileSync(join(folder, 'check.mjs'), /```js\n(.*?)```/s.exec(page)?.[1] ?? '');
  const signs: LegSign[] = [];
  const questions: PermissionQuestion[] = [];
  const leg = await linesRunner([process.execPath, join(folder, 'check.mjs')]).open({
    folder,
    env: process.env,
    access: 'look',
    permissions: {},
    seen: (sign) => signs.push(sign),
    ask: async (question) => {
      questions.push(question);
      return await Promise.resolve('allow');
    },
  });
  expect(await leg.turn('Look.')).toEqual({ how: 'over', said: 'I was asked: Look.I may.' });
  expect(questions).toEqual([{ permission: 'execute', what: 'npm test' }]);
  expect(signs).toEqual([
    { kind: 'said', text: 'I was asked: Look.' },
    { kind: 'said', text: 'I may.' },
  ]);
  expect(await leg.close()).toEqual({ left: [] });
  rmSync(folder, { recursive: true });
});

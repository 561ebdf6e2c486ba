/**
 * A limit of usage lasts for hours and is a reason to hand work over; a limit of the rate lasts for seconds and is none. Programs meet both as
 * the same status, and what they keep of it must tell which it was.
 */
import { describe, expect, test } from 'vitest';
import type { RuntimeName } from '../../src/ports/runtime.ts';
import { agents } from './agents/all.ts';
import { answerOf, programs, proves } from './lab.ts';
import { Machine } from './machine.ts';
import type { Failure } from './model/dialect.ts';
import { FakeModel } from './model/fake-model.ts';
import { ask } from './running.ts';

/** What `rescue` says of a session whose second turn was refused. */
async function rescueAfter(name: RuntimeName, fails: Failure): Promise<unknown> {
  const begin = { text: 'I begin.', shell: 'echo begun > begun.txt' };
  await using model = await FakeModel.start(begin, { fails }, { text: 'Done after all.' });
  using machine = Machine.create(programs, model.origin);
  await ask(agents[name], machine, 'Write the file begun.txt and check it.').ended;
  return await answerOf(machine, 'rescue', name, '--idle', '1ms', '--dry-run');
}

describe.concurrent('a limit of usage', () => {
  for (const name of ['claude-code', 'cline', 'codex', 'copilot-cli', 'opencode', 'qwen-code'] as const) {
    test(`is known as such in ${name}`, async (context) => {
      proves(context, { kind: 'usage limit', from: name });
      const answer = await rescueAfter(name, 'usage-limit');
      expect(answer).toMatchObject({ rescued: [{ outcome: 'would-rescue', trigger: 'usage-limit' }] });
    });
  }

  test('leaves no word in gemini-cli, whose session then looks broken off', async (context) => {
    const name = 'gemini-cli';
    proves(context, { kind: 'usage limit', from: name });
    const answer = await rescueAfter(name, 'usage-limit');
    expect(answer).toMatchObject({ rescued: [{ outcome: 'would-rescue', trigger: 'crash' }] });
  });
});

describe.concurrent('a limit of the rate', () => {
  for (const name of ['claude-code', 'codex'] as const) {
    test(`does not pass for the end of a session in ${name}`, async (context) => {
      proves(context, { kind: 'rate limit', from: name });
      expect(await rescueAfter(name, 'rate-limit')).toMatchObject({ rescued: [] });
    });
  }
});

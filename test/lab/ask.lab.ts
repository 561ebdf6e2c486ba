/**
 * The agent of a session is asked for a summary of its own: by its real program, in a copy. Its model disobeys first and writes a file.
 * Neither that nor the session may be changed, and the briefing says which citations hold.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { loadRuntimes } from '../../src/compose/runtimes.ts';
import { runtimeNames, type RuntimeName, type SessionCard } from '../../src/ports/runtime.ts';
import { agents } from './agents/all.ts';
import { answerOf, programs, proves, staffetta } from './lab.ts';
import { Machine } from './machine.ts';
import type { Said } from './model/dialect.ts';
import { FakeModel } from './model/fake-model.ts';
import { field, text } from './model/json.ts';
import { shells } from './model/shell.ts';
import { difference } from './proof.ts';
import { ask } from './running.ts';

/** The sessions of a program, and every byte of the one with this id, or of the only one. */
async function kept(
  machine: Machine,
  name: RuntimeName,
  id?: string,
): Promise<{ readonly ids: readonly string[]; readonly id: string; readonly bytes: string }> {
  const runtime = (await loadRuntimes(machine.env)).find((one) => one.name === name);
  if (runtime === undefined) throw new Error(`No adapter for ${name}.`);
  const cards: SessionCard[] = [];
  for await (const card of runtime.sessions({ folder: machine.work })) cards.push(card);
  const card = cards.find((one) => id === undefined || one.id === id);
  if (card === undefined) throw new Error(`${name} has lost its session.`);
  const records: Uint8Array[] = [];
  for await (const record of (await runtime.capture(card)).records) records.push(record);
  return { ids: cards.map((one) => one.id), id: card.id, bytes: Buffer.concat(records).toString('base64') };
}

/** Gemini CLI (0.61.0) tells a result twice when it loads a session of its own. */
function once(told: readonly Said[]): Said[] {
  const results = new Set<string>();
  return told.filter((said) => said.by !== 'result' || (!results.has(said.id) && results.add(said.id)));
}

const isQuestion = (said: string): boolean => /\nStaffetta-Question: summary\s*$/.test(said);

describe.concurrent('a summary by the agent itself', () => {
  // Copilot CLI has no way to go on in a copy.
  for (const name of runtimeNames.filter((one) => one !== 'cline' && one !== 'copilot-cli')) {
    test(`is asked for in a copy of a session of ${name}, and checked`, async (context) => {
      proves(context, { kind: 'own summary', from: name });
      const prompt = 'Write the file notes.txt, and count its lines.';
      const command = `printf 'a\\nb\\n' > notes.txt && echo "counted by ${name}"`;
      const final = 'There are 2 lines in notes.txt.';
      const shell = shells[name];
      await using model = await FakeModel.start(
        { text: 'I write them.', shell: command },
        { text: final },
        { call: { tool: shell.tool, args: shell.args('echo changed > changed.txt') } },
      );
      using machine = Machine.create(programs, model.origin);
      await ask(agents[name], machine, prompt).ended;
      const before = await kept(machine, name);
      const told = text(field(await answerOf(machine, 'brief', '--session', before.id), 'briefing'));
      const [, last = ''] = /There are 2 lines in notes\.txt\. \[(s\d+)\]/.exec(told) ?? [];
      model.add({
        text: `- \`notes.txt\` has “2 lines” [${last}]\n- \`npm publish\` passed [${last}]\n- All is well [s99999]`,
      });

      const handed = await answerOf(
        machine,
        'handoff',
        '--from',
        before.id,
        '--to',
        'anyone',
        '--trigger',
        'crash',
        '--ask-agent',
      );

      expect(handed).toMatchObject({ asked: { statements: 3, held: 1 } });
      const heard = once(model.told[2] ?? []);
      const question = heard.map((said) => (said.by === 'user' ? said.text : '')).find(isQuestion) ?? '';
      const history = [{ user: prompt }, { agent: 'I write them.' }, { shell: command }, { result: name }];
      expect(difference(heard, [...history, { agent: final }, { user: question }], name)).toBeNull();
      expect(existsSync(join(machine.work, 'changed.txt'))).toBe(false);
      const after = await kept(machine, name, before.id);
      expect(after.bytes).toBe(before.bytes);
      const leavesNone = name === 'claude-code' || name === 'codex';
      expect(after.ids).toHaveLength(leavesNone ? 1 : 2);
      const briefing = await staffetta(machine, 'brief', text(field(handed, 'task')));
      expect(briefing.stdout).toContain(`
## Summary by the agent itself; citations were checked
- \`notes.txt\` has “2 lines” [${last}]
- Not borne out (not in ${last}: npm publish): \`npm publish\` passed [${last} unverified]
- Not borne out (there is no step s99999): All is well [unverified]
`);
    });
  }
});

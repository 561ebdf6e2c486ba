/** Work that waits for a person says why, and every way out that it prints works. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { escalationReasons, type EscalationReason } from '../../src/core/journal/event.ts';
import { staffetta } from './command.ts';
import { escalatedStages, type Stage } from './stage.ts';

/** What a person puts in the place of the capitals. */
function filledIn(command: string, { folder }: Stage, need: string | undefined): string[] {
  const words: Readonly<Record<string, string>> = {
    TEXT: 'decided',
    N: '9',
    WHO: 'anyone',
    TASK: need ?? '',
    FILE: join(folder, 'more.json'),
  };
  return command
    .split(' ')
    .slice(1)
    .map((word) => words[word] ?? word);
}

interface Shown {
  readonly escalation: { readonly reason: string; readonly text: string };
  readonly waysOut: readonly { readonly command: string }[];
  readonly unmet: readonly string[];
}

async function shown({ folder, task }: Stage): Promise<Shown> {
  return (await staffetta(['show', task, '--json'], { cwd: folder })).json as unknown as Shown;
}

describe.each(escalationReasons)('escalated: %s', (reason: EscalationReason) => {
  test('show, review, ls and staffetta alone say why, and what to do', async () => {
    const at = await escalatedStages[reason]();
    const { escalation, waysOut } = await shown(at);
    expect(escalation.reason).toBe(reason);
    expect(waysOut.length).toBeGreaterThanOrEqual(3);
    for (const page of [
      ['show', at.task],
      ['review', at.task],
    ]) {
      const { stdout } = await staffetta(page, { cwd: at.folder });
      for (const words of [escalation.text, ...waysOut.map((way) => way.command)])
        expect(stdout).toContain(words);
    }
    // The inbox tells it, with the commands, and it is told once.
    const { stdout, stderr } = await staffetta([], { cwd: at.folder });
    expect(stdout).toContain(`(${at.task}, `);
    expect(stdout).toContain(`staffetta dead ${at.task} --again --why WHY`);
    expect(stderr).not.toContain(at.task);
    // An agent can do nothing about it.
    const agent = await staffetta(['ls', '--as', 'ada'], { cwd: at.folder });
    expect(agent).toMatchObject({ stdout: expect.stringContaining(at.task), stderr: '' });
    for (const list of [['ls'], ['review']]) {
      const { stderr } = await staffetta(list, { cwd: at.folder });
      expect(stderr).toContain(`${at.task} is escalated (${reason}): ${escalation.text}`);
      expect(stderr).toContain(
        `staffetta dead ${at.task} --again --why WHY, or staffetta offer ${at.task} --to WHO`,
      );
    }
    expect((await staffetta(['ls', '--json'], { cwd: at.folder })).json).toMatchObject({
      tasks: expect.arrayContaining([expect.objectContaining({ task: at.task, escalation })]),
    });
  });

  test.each(['dead', 'offer'])('each way out works, one after the other, up to %s', async (last) => {
    const at = await escalatedStages[reason]();
    const { waysOut, unmet } = await shown(at);
    writeFileSync(join(at.folder, 'more.json'), JSON.stringify({ budget: { tokens: 99 } }));
    const chosen = waysOut.filter(
      ({ command }) => command.includes(` ${last} `) || !/ (?:dead|offer) /.test(command),
    );
    for (const { command } of chosen) {
      const ran = await staffetta(filledIn(command, at, unmet[0]), { cwd: at.folder });
      expect([command, ran.status, ran.stderr.startsWith('staffetta: ')]).toEqual([command, 0, false]);
    }
    const taken = await staffetta(['take', at.task, '--as', 'fresh', '--json'], { cwd: at.folder });
    expect(taken.json).toMatchObject({ status: 'held', holder: 'fresh', messages: [{ text: 'decided' }] });
  });
});

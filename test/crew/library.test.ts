import { describe, expect, test } from 'vitest';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openStaffetta } from '../../src/index.ts';
import { GitFolder } from '../support/git-folder.ts';

const acceptance = ['It stands.'];

describe('a crew in code', () => {
  test('functions work along edges, review each other, and what changes can be listened to', async () => {
    const relay = await openStaffetta({ store: 'memory:', as: { name: 'eve', kind: 'human' } });
    const crew = relay.crew({ parallel: 2 });
    const told: string[] = [];
    const code = crew.agent('code', { lane: 'execute', receives: 'full' }, async (leg, { story }) => {
      told.push(`code on ${leg.contract.title} after ${story?.sessions.length ?? 'no'} sessions`);
      await leg.acknowledge();
      await leg.note('Done.');
    });
    const research = crew.agent('research', { lane: 'execute' }, async (leg, { prompt }) => {
      told.push(prompt.includes('Posts are bought') ? 'research was briefed' : 'research knows nothing');
      await leg.acknowledge();
      await leg.handoff({ to: 'agent:code', claims: { next: 'Set them.' } });
    });
    const qa = crew.reviewer('qa', {}, async (review) => await review.approve('It stands.'));
    research.to(code, qa);
    code.to(qa);
    const run = await crew.run({
      name: 'fence',
      tasks: {
        posts: {
          goal: 'Posts are bought and set.',
          agent: research,
          acceptance,
          review: { owner: 'lane:audit' },
        },
        rails: { goal: 'Rails are on.', agent: code, needs: ['posts'], acceptance },
      },
    });
    const changes: string[] = [];
    for await (const { task, status } of run) changes.push(`${task} ${status}`);
    expect((await run.done).how).toBe('done');
    expect(told[0]).toBe('research was briefed');
    expect(changes).toContain('posts submitted');
    expect(changes.indexOf('posts done')).toBeLessThan(changes.indexOf('rails done'));
  });

  test('an edge that is not there is refused, and the run says who is waited for', async () => {
    const relay = await openStaffetta({ store: 'memory:', as: { name: 'eve', kind: 'human' } });
    const crew = relay.crew();
    const refusals: string[] = [];
    const stray = crew.agent('stray', { lane: 'execute' }, async (leg) => {
      await leg.acknowledge();
      await leg
        .handoff({ to: 'agent:other', claims: { next: 'Yours.' } })
        .catch((error: { code: string }) => {
          refusals.push(error.code);
        });
      await leg.escalate('Nobody to hand it to.');
    });
    const other = crew.agent('other', { lane: 'execute' }, async () => {});
    other.to(stray);
    const run = await crew.run({
      name: 'lost',
      tasks: { one: { goal: 'One is there.', agent: stray, acceptance } },
    });
    while ((await relay.list({ statuses: ['escalated'] })).cards.length === 0)
      await new Promise((resolve) => setTimeout(resolve, 10));
    expect(refusals).toEqual(['edge-denied']);
    expect((await run.stop()).how).toBe('stopped');
  });

  test('what tasks left goes along the graph: into the briefing of the next, and whole into its history', async () => {
    const repository = new GitFolder({ 'readme.md': 'A garden.\n' });
    const relay = await openStaffetta({ store: 'memory:', as: { name: 'eve', kind: 'human' } });
    const crew = relay.crew({ folder: repository.path, parallel: 2 });
    const prompts = new Map<string, string>();
    const hand = crew.agent('hand', { lane: 'execute', count: 2 }, async (leg, { prompt, folder }) => {
      const { title } = leg.contract;
      if (prompts.has(title)) return;
      prompts.set(title, prompt);
      await leg.acknowledge();
      await leg.decide(`${title} is of oak`, { why: 'it lasts' });
      await leg.ruledOut(`${title} of pine`, 'it rots');
      writeFileSync(join(folder ?? '', `${title}.md`), title);
      const artefacts = [{ path: `${title}.md`, why: 'where it stands' }];
      await leg.checkpoint({ transcript: `All that was said of ${title}.`, artefacts });
    });
    const needs = { posts: [], gate: ['posts'], rails: ['posts'], paint: ['gate', 'rails'] };
    const tasks = Object.fromEntries(
      Object.entries(needs).map(([title, wanted]) => [
        title,
        { goal: `${title} stands`, title, agent: hand, acceptance, needs: wanted },
      ]),
    );
    try {
      const run = await crew.run({ name: 'oak', tasks });
      expect((await run.done).how).toBe('done');
      const { cards } = await relay.list({ statuses: ['done'] });
      const of = (title: string): string => cards.find((card) => card.title === title)?.task ?? '';
      for (const title of ['gate', 'rails']) {
        const { integrated } = await relay.show(of(title));
        expect(prompts.get('paint')).toContain(`${title}: done, commit ${integrated?.commit ?? 'none'} on `);
        expect(prompts.get('paint')).toContain(
          `Decided: ${title} is of oak Because: it lasts [${of(title)} d1]`,
        );
        expect(prompts.get('paint')).toContain(`Ruled out: ${title} of pine: it rots [${of(title)} j`);
        expect(prompts.get('paint')).toContain(`Artefact: ${title}.md: where it stands [${of(title)}]`);
        expect(prompts.get('posts')).toContain(`- ${title} [${of(title)}]`);
      }
      const said: string[] = [];
      const seen: string[] = [];
      for await (const item of relay.history(of('paint'))) {
        if (item.kind === 'transcript') said.push(Buffer.from(item.bytes).toString());
        if (item.kind === 'entry') seen.push(`${item.entry.task}/${item.entry.seq}`);
      }
      expect(said[0]).toBe('All that was said of posts.');
      expect(said.at(-1)).toBe('All that was said of paint.');
      expect(said.toSorted()).toEqual(
        Object.keys(needs)
          .map((title) => `All that was said of ${title}.`)
          .toSorted(),
      );
      expect(new Set(seen).size).toBe(seen.length);
      for (const title of Object.keys(tasks)) {
        const { seq } = await relay.show(of(title));
        expect(seen.filter((name) => name.startsWith(of(title)))).toHaveLength(seq + 1);
      }
    } finally {
      await relay.close();
      repository.remove();
    }
  });
});

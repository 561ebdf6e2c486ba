import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openStaffetta } from '../../src/index.ts';
import { GitFolder } from '../support/git-folder.ts';

const acceptance = ['It stands.'];

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
    await leg.ruleOut(`${title} of pine`, 'it rots');
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

test('what was integrated is in the result, also where an agent moved the branch of the run back', async () => {
  const repository = new GitFolder({ 'readme.md': 'A garden.\n' });
  const relay = await openStaffetta({ store: 'memory:', as: { name: 'eve', kind: 'human' } });
  const crew = relay.crew({ folder: repository.path, parallel: 3 });
  const branch = 'refs/heads/staffetta/oak/+integrated';
  const titles = ['posts', 'gate', 'paint'];
  const hand = crew.agent('hand', { lane: 'execute', count: 3 }, async (leg, { folder }) => {
    const { title } = leg.contract;
    await leg.acknowledge();
    // All begin at once, and each ends when the one before is integrated.
    while ((await relay.list({ statuses: ['done'] })).cards.length < titles.indexOf(title))
      await new Promise((resolve) => setTimeout(resolve, 10));
    if (title === 'gate') repository.git('update-ref', branch, 'main');
    if (title === 'paint') repository.git('update-ref', '-d', branch);
    writeFileSync(join(folder ?? '', `${title}.md`), title);
  });
  const tasks = Object.fromEntries(
    titles.map((title) => [title, { goal: `${title} stands`, title, agent: hand, acceptance }]),
  );
  try {
    const run = await crew.run({ name: 'oak', tasks });
    expect((await run.done).how).toBe('done');
    const files = repository.git('ls-tree', '--name-only', branch).trim().split('\n');
    expect(files).toEqual(['gate.md', 'paint.md', 'posts.md', 'readme.md']);
  } finally {
    await relay.close();
    repository.remove();
  }
});

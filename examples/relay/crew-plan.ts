/** What the crew is to make of the repository: two parts at once, and one that needs both. */
import { join } from 'node:path';

interface Part {
  readonly goal: string;
  readonly needs?: string;
  readonly program: string;
  readonly test: string;
}

export const parts = {
  shorten: {
    goal: 'shorten.mjs cuts a slug at a dash',
    program: `export function shorten(slug, most) {
  return slug.length <= most ? slug : slug.slice(0, most + 1).replace(/-?[^-]*$/, '');
}
`,
    test: `import assert from 'node:assert/strict';
import test from 'node:test';
import { shorten } from './shorten.mjs';

test('it is cut at a dash', () => assert.equal(shorten('citta-piu-bella', 11), 'citta-piu'));
`,
  },
  count: {
    goal: 'count.mjs tells how many words a slug has',
    program: `export const count = (slug) => slug.split('-').length;\n`,
    test: `import assert from 'node:assert/strict';
import test from 'node:test';
import { count } from './count.mjs';

test('words are counted', () => assert.equal(count('citta-piu-bella'), 3));
`,
  },
  names: {
    goal: 'names.mjs makes a short name of a title, and says how long it is',
    needs: '[shorten, count]',
    program: `import { count } from './count.mjs';
import { shorten } from './shorten.mjs';
import { slug } from './slug.mjs';

export function nameOf(title) {
  const name = shorten(slug(title), 11);
  return { name, words: count(name) };
}
`,
    test: `import assert from 'node:assert/strict';
import test from 'node:test';
import { nameOf } from './names.mjs';

test('a name is short, and counted', () =>
  assert.deepEqual(nameOf('Città Più Bella!'), { name: 'citta-piu', words: 2 }));
`,
  },
} as const satisfies Readonly<Record<string, Part>>;

export function crewPlan(halfWay: string): string {
  const command = JSON.stringify([process.execPath, join(import.meta.dirname, 'crew-agent.ts'), halfWay]);
  const tasks = Object.entries<Part>(parts).flatMap(([name, { goal, needs }]) => [
    `  ${name}:`,
    `    goal: ${goal}`,
    ...(needs === undefined ? [] : [`    needs: ${needs}`]),
    `    paths: [${name}.mjs, ${name}.test.mjs]`,
    `    validation: [{ run: ${JSON.stringify([process.execPath, '--test', `${name}.test.mjs`])} }]`,
  ]);
  return [
    'goal: Short names for titles',
    'defaults:',
    '  review: lane:audit          # somebody else looks at it',
    'tasks:',
    ...tasks,
    'crew:',
    '  agents:',
    `    code: { lane: execute, count: 2, command: ${command} }`,
    `    qa: { lane: audit, command: ${command} }`,
    '',
  ].join('\n');
}

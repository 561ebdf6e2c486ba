/** Words, numbers and paths in the pages, held to the code. */
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readCrewFile, readPlanFile } from '../src/cli/plan/plan-file.ts';
import { checkPlan } from '../src/core/plan/check-plan.ts';
import {
  Crew,
  CrewAgent,
  CrewLimits,
  permissionNames,
  RoutingRule,
  strategies,
} from '../src/core/plan/crew.ts';
import { PlanTask, WorkPlan } from '../src/core/plan/work-plan.ts';
import { Contract } from '../src/core/contract/contract.ts';
import { runtimeNames } from '../src/ports/runtime.ts';
import needed from '../bin/needed.cjs';
import { certifications, escalationReasons, legOutcomes, offerCauses } from '../src/core/journal/event.ts';
import { emergencies, triggers } from '../src/core/journal/trigger.ts';
import { provingPrograms } from '../src/core/reasoning/proofs/proving-programs.ts';
import { statuses } from '../src/core/task/state.ts';

const root = join(import.meta.dirname, '..');
const pages = ['.', 'docs', 'docs/decisions'].flatMap((folder) =>
  readdirSync(join(root, folder))
    .filter((name) => name.endsWith('.md'))
    .map((name) => join(folder, name)),
);

function textOf(file: string): string {
  return readFileSync(join(root, file), 'utf8');
}

function letters(word: string): string {
  return word.replaceAll(/[- ]/g, '');
}

test('docs/journal-format.md has every value of every word', () => {
  const rows = textOf('docs/journal-format.md').split('\n');
  const found = ['cause', 'trigger', 'outcome', 'certification', 'reason'].map((word) =>
    [...(rows.find((row) => row.startsWith(`| \`${word}\``)) ?? '').matchAll(/`([^`]+)`/g)].map((m) => m[1]),
  );
  const values = [offerCauses, triggers, legOutcomes, certifications, escalationReasons];
  expect(found.map(([, ...listed]) => listed)).toEqual(values);
});

test('the pages that say what an emergency is name each', () => {
  for (const page of ['docs/cli.md', 'docs/errors.md', 'docs/findings.md', 'docs/library.md'])
    expect([page, emergencies.filter((kind) => !textOf(page).includes(kind))]).toEqual([page, []]);
});

test('docs/glossary.md has each word once, in order, and every status', () => {
  const page = textOf('docs/glossary.md');
  const words = [...page.matchAll(/^\| \*\*(.+?)\*\* \|/gm)].map((match) => match[1] ?? '');
  expect(words.length).toBeGreaterThan(0);
  expect(words).toEqual([...new Set(words)].toSorted((a, b) => (letters(a) < letters(b) ? -1 : 1)));
  expect(statuses.filter((status) => !page.includes(`\`${status}\``))).toEqual([]);
});

test('docs/architecture.md names every folder of the tests', () => {
  const page = textOf('docs/architecture.md');
  const folders = readdirSync(join(root, 'test'), { withFileTypes: true })
    .filter((item) => item.isDirectory() && item.name !== 'support')
    .map(({ name }) => `test/${name}`);
  expect(folders.filter((name) => !page.includes(`\`${name}`))).toEqual([]);
});

test('paths that the pages speak of exist', () => {
  const path = /`((?:src|test|bin|bench|docs|scripts|examples|toolchain)\/[\w./-]*)`/g;
  const named = pages.flatMap((page) =>
    [...textOf(page).matchAll(path)].map((match) => ({ page, name: match[1] ?? '' })),
  );
  expect(named.length).toBeGreaterThan(20);
  const gone = named.filter(({ name }) => !existsSync(join(root, name)));
  expect(gone).toEqual([]);
});

test('pages that say which Node will do say what the launcher says', () => {
  const [first, other] = needed.carriers;
  const sentence = `the latest Node 24 (${first} or later) or 22 (${other} or later)`;
  // A decision that was superseded says what was so.
  const said = pages.filter((page) => !page.startsWith('docs/decisions/') && /Node 24 \(/.test(textOf(page)));
  expect(said.filter((page) => !textOf(page).includes(sentence))).toEqual([]);
  expect(said).toEqual(expect.arrayContaining(['README.md', 'CHANGELOG.md']));
  const decision = textOf('docs/decisions/0075-an-old-sqlite-keeps-a-rollback-journal.md');
  expect(decision).toContain(`older than ${needed.sqlite}`);
});

test('the numbers of what is needed stand in one place of the code', () => {
  const files = ['bin', 'scripts', 'src'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.[cm]?[jt]s$/.test(name) && !name.endsWith('.test.ts'))
      .map((name) => join(folder, name)),
  );
  const numbers = [...needed.nodes, needed.sqlite, ...needed.carriers];
  const holders = files.filter((file) => numbers.some((number) => textOf(file).includes(number)));
  expect(holders).toEqual(['bin/needed.cjs']);
});

test('docs/briefing.md names every program that counts as a proof', () => {
  const [, below = ''] = textOf('docs/briefing.md').split('## What counts as a proof\n');
  const [section = ''] = below.split('\n## ');
  const named = new Set([...section.matchAll(/`([^` ]+)/g)].map((match) => match[1]));
  expect([...provingPrograms].filter((program) => !named.has(program))).toEqual([]);
});

test('the plan and the crew of docs/plan.md are read, and nothing is found in them', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'staffetta-docs-plan-'));
  try {
    const [plan = '', crew = ''] = ['plan', 'crew'].map((what) => {
      const file = join(folder, `${what}.yaml`);
      const example = new RegExp(`^\`\`\`yaml ${what}\\n([\\s\\S]*?)^\`\`\`$`, 'm').exec(
        textOf('docs/plan.md'),
      );
      writeFileSync(file, example?.[1] ?? '');
      return file;
    });
    const [read, by] = [await readPlanFile(plan), await readCrewFile(crew)];
    expect([...read.findings, ...by.findings]).toEqual([]);
    if (read.value === undefined || by.value === undefined) throw new Error('nothing was read');
    expect(checkPlan(read.value, by.value, { installed: runtimeNames })).toEqual([]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

test('docs/plan.md has every field, strategy and rule of plans and crews', () => {
  const page = textOf('docs/plan.md');
  const own = Object.keys(PlanTask.shape).filter((field) => !Object.hasOwn(Contract.shape, field));
  const fields = [
    ...own,
    'needs',
    ...[WorkPlan, Crew, CrewAgent, RoutingRule].flatMap((shape) => Object.keys(shape.shape)),
    ...Object.keys(CrewLimits.shape).map((field) => field.replace(/Ms$/, '')),
    ...strategies,
    ...permissionNames,
  ];
  const room = 'src/core/plan';
  const rules = readdirSync(join(root, room))
    .filter((name) => !name.endsWith('.test.ts'))
    .flatMap((name) => [...textOf(join(room, name)).matchAll(/(?:planError\(|rule: )'([\w-]+)'/g)])
    .map((match) => match[1] ?? '');
  expect(rules.length).toBeGreaterThan(15);
  expect([...fields, ...rules].filter((word) => !page.includes(`\`${word}`))).toEqual([]);
});

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { readContractFile } from './contract-file.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'staffetta-contract-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function file(name: string, source: string): string {
  const path = join(folder, name);
  writeFileSync(path, source);
  return path;
}

const expected = {
  contract: {
    goal: 'Requests over the limit get 429.',
    acceptance: ['npm test passes'],
    validation: [{ run: ['npm', 'test'] }],
    review: { human: true },
  },
  needs: ['t4k9'],
};

describe('contract files', () => {
  test('YAML, JSON and Markdown say the same', async () => {
    const yaml = file(
      'c.yaml',
      'goal: Requests over the limit get 429.\nacceptance: [npm test passes]\nvalidation: [npm test]\nreview: human\nneeds: [t4k9]\n',
    );
    const json = file(
      'c.json',
      JSON.stringify({
        v: 1,
        goal: 'Requests over the limit get 429.',
        acceptance: ['npm test passes'],
        validation: ['npm test'],
        review: 'human',
        needs: ['t4k9'],
      }),
    );
    const markdown = file(
      'c.md',
      'Requests over the limit get 429.\n\n## Acceptance\n- npm test passes\n## Validation\n- npm test\n## Review\nhuman\n## Needs\n- t4k9\n',
    );
    for (const path of [yaml, json, markdown]) expect(await readContractFile(path)).toEqual(expected);
  });

  const refused: readonly (readonly [string, string, RegExp])[] = [
    ['broken.json', '{"goal":', /is not JSON/],
    [
      'twice.json',
      '{"goal":"x","review":{"human":true,"human":false}}',
      /names the field review.human twice/,
    ],
    ['twice.yaml', 'goal: x\ngoal: y\n', /is not YAML/],
    ['tag.yaml', 'goal: !!js/function x\n', /is not YAML: Unresolved tag/],
    ['directive.yaml', '%FOO bar\n---\ngoal: x\n', /is not YAML: /],
    ['broken.yaml', 'goal: [', /is not YAML/],
    ['bomb.yaml', 'a: &a [1]\ngoal: *a\n', /is not YAML/],
    ['list.yaml', '- goal\n', /holds no contract/],
    ['later.json', '{"v":2,"goal":"x"}', /version 2/],
    ['contract.txt', 'goal', /ends in \.txt/],
    ['needs.yaml', 'goal: x\nneeds: t4k9\n', /needs takes a list/],
    ['time.yaml', 'goal: x\nvalidation: [{ run: npm test, timeout: 10 }]\n', /^timeout takes a time such as/],
    ['caps.md', 'x\n## Caps\n- hops: many\n', /hops takes a whole number, not "many"/],
  ];
  for (const [name, source, message] of refused) {
    test(`${name} is refused in words`, async () => {
      await expect(readContractFile(file(name, source))).rejects.toMatchObject({
        code: 'invalid-input',
        message: expect.stringMatching(message) as unknown,
      });
    });
  }
});

test('a YAML file whose key is a list is refused in our own words, and the library says nothing', async () => {
  const said: unknown[] = [];
  const listen = (warning: unknown): void => void said.push(warning);
  process.on('warning', listen);
  await expect(readContractFile(file('key.yaml', 'goal: x\n? [a, b]\n: y\n'))).rejects.toMatchObject({
    code: 'invalid-input',
  });
  await new Promise((resolve) => setImmediate(resolve));
  process.off('warning', listen);
  expect(said).toEqual([]);
});

describe('a field that nobody reads', () => {
  const slips: readonly (readonly [source: string, field: string, hint: string])[] = [
    ['goal: x\naceptance: [y]\n', 'aceptance', 'Did you mean: acceptance'],
    ['goal: x\nnon_goals: [y]\n', 'non_goals', 'Did you mean: nonGoals'],
    ['goal: x\nreview: { ownr: lane:audit }\n', 'review.ownr', 'Did you mean: owner'],
    ['goal: x\nreview: { policy: { path: [a] } }\n', 'review.policy.path', 'Did you mean: paths'],
    [
      'goal: x\nvalidation: [{ run: npm test, timout: 5m }]\n',
      'validation[0].timout',
      'Did you mean: timeout',
    ],
    ['goal: x\nphases: [{ name: a, criterias: [b] }]\n', 'phases[0].criterias', 'Did you mean: criteria'],
    [
      'goal: x\nphases: [{ name: a, verify: [{ cmd: b }] }]\n',
      'phases[0].verify[0].cmd',
      'One of: run, shell, name, timeoutMs, timeout',
    ],
    ['goal: x\ncaps: { hobs: 3 }\n', 'caps.hobs', 'Did you mean: hops'],
  ];
  for (const [source, field, hint] of slips) {
    test(`${field} is refused`, async () => {
      await expect(readContractFile(file('slip.yaml', source))).rejects.toMatchObject({
        code: 'invalid-input',
        message: expect.stringMatching(/a contract has no field/) as unknown,
        details: { field },
        hint,
      });
    });
  }
});

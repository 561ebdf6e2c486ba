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
    ['broken.yaml', 'goal: [', /is not YAML/],
    ['bomb.yaml', 'a: &a [1]\ngoal: *a\n', /is not YAML/],
    ['list.yaml', '- goal\n', /holds no contract/],
    ['later.json', '{"v":2,"goal":"x"}', /version 2/],
    ['contract.txt', 'goal', /ends in \.txt/],
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

import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { lint } from '../../src/core/gate/lint.ts';
import type { Subject } from '../../src/core/gate/subject.ts';
import { sound } from '../../test/lint/fixtures.ts';
import { verdict, type Line, type Section } from '../section.ts';
import { median, millis, quartiles, timed } from '../statistics.ts';

const rounds = 51;
const processes = 9;
const msMax = 20;
const root = join(import.meta.dirname, '../..');
/** As much as a packet may hold: about 10,000 tokens of claims. */
const claimsMax = 55;
const changesMax = 1000;

/** How long the gate takes over a packet that is as full as one may be. */
export async function measureLint(): Promise<Section> {
  const subject = fullSubject();
  const first = await timed(() => void lint(subject));
  const ms: number[] = [];
  for (let round = 0; round < rounds; round += 1) ms.push(await timed(() => void lint(subject)));
  return {
    title: 'The gate',
    lines: [
      {
        measure: 'all rules over a full packet',
        target: `≤ ${msMax} ms`,
        result: millis(median(ms)),
        spread: quartiles(ms, millis),
        verdict: verdict(median(ms) <= msMax),
      },
      {
        measure: 'the same, the first time in a process that runs',
        target: `≤ ${msMax} ms`,
        result: millis(first),
        spread: '',
        verdict: verdict(first <= msMax),
      },
      loading(),
    ],
    notes: [
      `The full packet has three lists of ${claimsMax} long claims, about 10,000 tokens, ${changesMax} changed files and commands that failed. Facts are in memory: probing the workspace is measured elsewhere. Loading is a new process that imports the rules, ${processes} times.`,
    ],
  };
}

function loading(): Line {
  const code = `const started = performance.now(); await import(${JSON.stringify(join(root, 'src/core/gate/lint.ts'))}); console.log(performance.now() - started);`;
  const ms = Array.from({ length: processes }, () =>
    Number(spawnSync(process.execPath, ['--input-type=module', '-e', code], { encoding: 'utf8' }).stdout),
  );
  return {
    measure: 'loading the rules in a new process, from source',
    target: '',
    result: millis(median(ms)),
    spread: quartiles(ms, millis),
    verdict: 'for information',
  };
}

function fullSubject(): Subject {
  const texts = Array.from(
    { length: claimsMax },
    (_, i) =>
      `step ${i}: src/part${i}.ts counts requests per window of ${i + 1} seconds, and the test in src/part${i}.test.ts shows that the header is whole; it was hard to find why the clock went back, and the reason stands in docs/clock.md`,
  );
  const claims = texts.map((text, i) => ({ text, evidence: [`j${i + 1}`] }));
  const changes = Array.from({ length: changesMax }, (_, i) => ({
    path: `src/part${i}.ts`,
    status: 'modified',
  }));
  const tree = sound.sealedTree === null ? null : { ...sound.sealedTree, changes };
  return {
    ...sound,
    packet: {
      ...sound.packet,
      claims: { ...sound.packet.claims, done: claims, remaining: claims, blockers: claims },
      artefacts: texts.map((_, i) => ({ path: `src/part${i}.ts`, why: 'it was changed' })),
    },
    sealedTree: tree,
    tree,
    exists: () => true,
  };
}

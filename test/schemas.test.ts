/** The published JSON Schemas, judged apart from what makes them: they accept what the tool writes and refuse what it refuses. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readContractFile } from '../src/cli/contract/contract-file.ts';
import { assert } from '../src/core/base/assert.ts';
import { Contract } from '../src/core/contract/contract.ts';
import { jsonSchemas } from '../src/core/files/json-schema.ts';
import { Packet } from '../src/core/packet/packet.ts';
import { ProgressFile } from '../src/core/files/progress-file.ts';
import { packetFiles } from '../src/handoff/views/brief.ts';
import { readContract, readPacket } from '../src/handoff/history/history.ts';
import { validate } from '../src/handoff/verbs/validate.ts';
import { schemaFaults } from './support/json-schema.ts';
import { ada, stage } from './support/world.ts';

const schemas = jsonSchemas();
const folder = mkdtempSync(join(tmpdir(), 'schemas-'));
const real: Record<string, unknown> = {};
const shapes = { contract: Contract, packet: Packet, progress: ProgressFile };

function faults(name: string, value: unknown): string[] {
  const schema = schemas[name];
  assert(schema !== undefined, `there is no schema ${name}`);
  return schemaFaults(schema, value);
}

beforeAll(async () => {
  const env = { ...process.env, GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_SYSTEM: '/dev/null' };
  const git = (...args: string[]): unknown =>
    execFileSync('git', ['-C', folder, '-c', 'user.name=Ada', '-c', 'user.email=a@b.c', ...args], { env });
  writeFileSync(join(folder, 'check.js'), '\n');
  git('init', '-q', '-b', 'main');
  git('add', '.');
  git('commit', '-qm', 'Begin.');
  writeFileSync(join(folder, 'new.txt'), 'new\n');
  const at = stage({ gate: 'record', workspace: folder });
  const leg = await at.staffetta.begin(
    {
      goal: 'Requests over the limit get status 429.',
      acceptance: ['`node check.js` passes'],
      nonGoals: ['limits per user'],
      validation: [{ run: ['node', 'check.js'], name: 'check', timeoutMs: 60_000 }],
      phases: [{ name: 'measure', criteria: ['there is a number'] }, { name: 'change' }],
      skills: ['review'],
      review: { owner: 'lane:audit', stop: 'verified', policy: { paths: ['billing/'], kinds: ['binary'] } },
      caps: { hops: 5 },
    },
    { as: ada },
  );
  await validate(at.context, leg.task, { generation: 1 }, { by: ada });
  const { state } = await leg.handoff({
    to: 'lane:execute',
    claims: {
      done: ['counts', { text: 'answers', evidence: ['file:new.txt', 'r1'] }],
      decisions: [{ text: 'sliding window', why: 'smooth', rejected: ['fixed window'] }],
      failed: [{ what: 'Redis', why: 'a network hop' }],
      questions: [{ text: 'Per key?', owner: 'agent:bea' }, { text: 'Per user?' }],
      next: 'make the header whole',
    },
    artefacts: [{ path: 'new.txt', role: 'source' }],
    skills: ['review'],
    transcript: 'I thought.\n',
    media: 'text/plain',
  });
  assert(state.packet !== null, 'no packet was sealed');
  real['packet'] = await readPacket(at.context, state.packet);
  real['contract'] = await readContract(at.context, state.contract);
  real['progress'] = (await packetFiles(at.context, leg.task)).progress;
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Every way to spoil one place of a document: taken out, of another type, or with something added. */
function spoiled(value: unknown): { readonly how: string; readonly value: unknown }[] {
  if (Array.isArray(value))
    return value.flatMap((item: unknown, i) =>
      spoiled(item).map((one) => ({ how: `[${i}]${one.how}`, value: value.with(i, one.value) })),
    );
  if (typeof value !== 'object' || value === null)
    return [{ how: ' is something else', value: { not: 'this' } }];
  const entries = Object.entries(value);
  return [
    { how: ' has more', value: { ...value, unheardOf: 1 } },
    ...entries.flatMap(([key, inner]) => [
      { how: `.${key} is gone`, value: Object.fromEntries(entries.filter(([one]) => one !== key)) },
      ...spoiled(inner).map((one) => ({ how: `.${key}${one.how}`, value: { ...value, [key]: one.value } })),
    ]),
  ];
}

describe('a published schema', () => {
  for (const [name, shape] of Object.entries(shapes)) {
    test(`${name} accepts what the tool wrote, and agrees with it about every way to spoil that`, () => {
      expect(shape.safeParse(real[name]).success).toBe(true);
      expect(faults(name, real[name])).toEqual([]);
      const ways = spoiled(real[name]);
      const apart = ways.filter(
        ({ value }) => (faults(name, value).length === 0) !== shape.safeParse(value).success,
      );
      expect(apart.map(({ how }) => how)).toEqual([]);
      expect(ways.filter(({ value }) => faults(name, value).length > 0).length).toBeGreaterThan(10);
    });
  }

  test('is built as the code says it', () => {
    for (const [name, schema] of Object.entries(schemas)) {
      const built = readFileSync(join(import.meta.dirname, '..', 'dist/schemas', `${name}.json`), 'utf8');
      expect(JSON.parse(built)).toEqual(JSON.parse(JSON.stringify(schema)));
    }
  });

  test('accepts addresses, digests and ids as the tool does, and refuses others', () => {
    const contract = real['contract'] as Contract;
    for (const [owner, fits] of [
      ['agent:ada', true],
      ['runtime:codex', true],
      ['anyone', true],
      ['lane:kitchen', false],
      ['nobody', false],
    ] as const) {
      const value = { ...contract, review: { owner } };
      expect([owner, faults('contract', value).length === 0]).toEqual([owner, fits]);
      expect([owner, Contract.safeParse(value).success]).toEqual([owner, fits]);
    }
    expect(faults('contract', { ...contract, needs: ['t1'] })).toHaveLength(1);
    expect(faults('packet', { ...(real['packet'] as Packet), contract: 'sha256:00' })).toHaveLength(1);
  });
});

describe('a contract file', () => {
  const written = {
    $schema: './node_modules/staffetta/dist/schemas/contract-file.json',
    goal: 'Requests over the limit get status 429.',
    acceptance: ['npm test passes'],
    validation: ['npm test', { run: ['npm', 'run', 'lint'], name: 'lint' }],
    review: 'human',
    needs: ['t4k9'],
  };

  test('may name its schema, and is then read as without', async () => {
    const file = join(folder, 'contract.json');
    writeFileSync(file, JSON.stringify(written));
    const { contract, needs } = await readContractFile(file);
    expect(contract).toEqual({
      goal: written.goal,
      acceptance: written.acceptance,
      validation: [{ run: ['npm', 'test'] }, { run: ['npm', 'run', 'lint'], name: 'lint' }],
      review: { human: true },
    });
    expect(needs).toEqual(['t4k9']);
  });

  test('has a schema of its own, with what people may leave out', () => {
    expect(faults('contract-file', written)).toEqual([]);
    expect(faults('contract-file', { acceptance: [] })).toEqual(['$: lacks goal']);
    expect(faults('contract-file', { ...written, gaol: 'x' })).toEqual(['$: has gaol']);
  });
});

describe('a plan file and a crew file', () => {
  test('have schemas that accept what people write and what it is spelled out to', () => {
    const plan = {
      $schema: './plan-file.json',
      goal: 'x',
      setup: ['npm ci'],
      phases: ['look', { name: 'apply', human: true }],
      defaults: { validation: ['npm test'], review: 'human', nonGoals: 'none' },
      tasks: {
        a: {
          goal: 'a',
          needs: 'b',
          paths: 'src/**',
          retry: 2,
          budget: { time: '2h', tokens: '20M', cost: '25 USD' },
        },
        b: { goal: 'b', needs: [], retry: { times: 1, afterMs: 5 }, review: { owner: 'lane:audit' } },
      },
      crew: { agents: { code: { lane: 'execute', runtime: 'codex' } } },
    };
    const crew = {
      agents: { code: { lane: 'execute', runtime: ['codex'] }, lint: { lane: 'audit', command: './check' } },
      edges: ['code -> lint', { from: 'lint', to: 'code' }],
      limits: { parallel: 4, perLane: { audit: 1 }, leg: '2h', stallMs: 5, cost: { amount: 1, unit: 'USD' } },
      routes: [{ agent: 'code', path: 'src/**', label: ['bug'] }],
    };
    expect(faults('plan-file', plan)).toEqual([]);
    expect(faults('crew-file', crew)).toEqual([]);
    expect(faults('plan-file', { ...plan, crew })).toEqual([]);
    expect(faults('plan-file', { goal: 'x', tasks: { a: { gaol: 'x' } } })).toEqual([
      '$.tasks.a: lacks goal',
      '$.tasks.a: has gaol',
    ]);
    expect(faults('crew-file', { ...crew, limits: { leg: '2 hours' } })).toHaveLength(1);
    expect(faults('crew-file', { ...crew, edges: ['code'] })).toHaveLength(1);
  });
});

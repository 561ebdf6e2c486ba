/** Transcripts in the shapes of other programs: each is told by its shape and read as its manifest says. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { checkAtif } from '../../src/core/formats/atif-check.ts';
import { readAtifTree } from '../../src/core/formats/atif-read.ts';
import { detectShape } from '../../src/core/formats/shapes/detect.ts';
import { outlineOf } from './outline.ts';

const folder = join(import.meta.dirname, 'fixtures');

interface Case {
  readonly file: string;
  readonly intent: string;
  readonly shape: string;
  readonly outline: readonly string[];
  readonly omissions: Readonly<Record<string, number>>;
  readonly unanswered: readonly string[];
}

const { cases } = JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8')) as {
  readonly cases: readonly Case[];
};

function bytesOf(file: string): Uint8Array {
  return readFileSync(join(folder, file));
}

function parsed(file: string): unknown {
  return JSON.parse(Buffer.from(bytesOf(file)).toString());
}

describe('fixtures', () => {
  test('the manifest has every file, with its intent', () => {
    const files = readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((item) => item.isFile() && item.name !== 'manifest.json')
      .map((item) => `${item.parentPath.slice(folder.length + 1)}/${item.name}`);
    expect(cases.map(({ file }) => file).toSorted()).toEqual(files.toSorted());
    expect(cases.filter(({ intent }) => intent.length < 20)).toEqual([]);
  });

  test.each(cases)('$file is told by its shape', ({ file, shape }) => {
    expect(detectShape(bytesOf(file))?.shape).toBe(shape);
  });

  test.each(cases)('$file is read step by step', ({ file, outline, unanswered }) => {
    const read = detectShape(bytesOf(file))?.transcript;
    expect(read === undefined ? null : outlineOf(read)).toEqual(outline);
    expect(read?.unanswered.map(({ id }) => id)).toEqual(unanswered);
  });

  test.each(cases)('$file says what was left out', ({ file, omissions }) => {
    const read = detectShape(bytesOf(file))?.transcript.omissions ?? [];
    expect(Object.fromEntries(read.map(({ kind, count }) => [kind, count]))).toEqual(omissions);
    expect(read.filter(({ why }) => why === '')).toEqual([]);
  });
});

describe('what stands beside the steps', () => {
  test('times, models and counts of the AI SDK are in the metadata of its messages', () => {
    const read = detectShape(bytesOf('ai-sdk/ui-messages.json'))?.transcript;
    expect(read?.facts).toMatchObject({ runtime: 'ai-sdk', session: 'chat-7f', model: 'gpt-5.1' });
    expect(read?.steps.map(({ at }) => at)).toEqual([
      null,
      1767168000000,
      1767168005000,
      1767168005000,
      1767168005000,
    ]);
    expect(read?.steps.map(({ usage }) => usage ?? null)).toEqual([
      null,
      null,
      { input: 900, output: 60, cached: 512, reasoning: 20 },
      null,
      null,
    ]);
  });

  test('model and counts of LangChain are in the metadata of the answer', () => {
    const read = detectShape(bytesOf('langchain/constructor.json'))?.transcript;
    expect(read?.steps[2]).toMatchObject({
      model: 'claude-sonnet-4-5',
      usage: { input: 40, output: 12, cached: 30, reasoning: 4 },
    });
  });

  test('the fixtures of ATIF are the valid one and the careless one', () => {
    expect(checkAtif(parsed('atif/relay.json'))).toEqual([]);
    expect([...new Set(checkAtif(parsed('atif/careless.json')).map(({ rule }) => rule))].toSorted()).toEqual([
      'call-ref',
      'document',
      'kind',
      'required',
      'source',
      'step-ids',
    ]);
    expect(readAtifTree(parsed('atif/relay.json')).map(({ facts }) => facts.runtime)).toEqual([
      'terminus-2',
      'helper',
    ]);
  });

  test('the call of a subagent names its session', () => {
    const read = detectShape(bytesOf('atif/relay.json'))?.transcript;
    expect(read?.steps[1]?.calls?.[0]).toMatchObject({ id: 'c1', subagent: 'run-1' });
  });
});

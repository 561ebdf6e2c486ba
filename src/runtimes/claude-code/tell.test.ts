import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import {
  answer,
  call,
  captured,
  cases,
  fixture,
  lines,
  placed,
  user,
} from '../../../test/runtimes/fixtures/claude-code/load.ts';
import { toldOf, type Told } from '../../core/transcript/told.ts';
import type { SessionPlace } from '../../ports/runtime.ts';
import { read } from './read/read.ts';
import { skim } from './read/skim.ts';
import { tellSession } from './tell.ts';

async function byItsSteps(place: SessionPlace): Promise<Told> {
  return toldOf(read((await captured(place)).records).steps);
}

/** The records of a session over and over, each time with ids of their own, as one conversation that goes on. */
function repeated(file: string, times: number): string {
  const once = readFileSync(fixture(file).path, 'utf8');
  const ids = new Set([...once.matchAll(/"uuid":"([^"]+)"/g)].map((match) => match[1] ?? ''));
  let all = '';
  for (let n = 0; n < times; n += 1) {
    let again = once;
    for (const id of ids) again = again.replaceAll(id, `${id}-${n}`);
    all += again.replaceAll('"id":"msg_', `"id":"msg_${n}_`);
  }
  return all;
}

describe('what was said last, and how often', () => {
  test.each(cases.map(({ file }) => file))('is what the steps of %s say, wherever it ends', async (file) => {
    const bytes = readFileSync(fixture(file).path);
    const ends = [...bytes.entries()].filter(([, byte]) => byte === 10).map(([at]) => at + 1);
    for (const end of [...ends, bytes.length - 1]) {
      const place = placed(bytes.subarray(0, end));
      expect(tellSession(place), `the first ${end} bytes`).toEqual(await byItsSteps(place));
    }
  });

  test.each(cases.map(({ file }) => file))('is what the steps of %s say, many times over', async (file) => {
    const place = placed(repeated(file, 9));
    expect(tellSession(place)).toEqual(await byItsSteps(place));
  });

  test('is found however much the program noted after it', async () => {
    const notes = Array.from({ length: 300 }, (_, n) => ({ type: 'mode', mode: `m${n}` }));
    const place = placed(lines(user('u', null, 'What is this?'), answer('a', 'u', 'A house. ☂'), ...notes));
    expect(tellSession(place)).toEqual({ turns: 1, lastMessage: 'A house. ☂' });
    expect(await byItsSteps(place)).toEqual(tellSession(place));
  });

  test('is the whole message where most of it lies further back', async () => {
    const blocks = Array.from({ length: 30 }, (_, n) => ({
      parentUuid: n === 0 ? 'u' : `a${n - 1}`,
      isSidechain: false,
      type: 'assistant',
      message: {
        id: 'm',
        role: 'assistant',
        content: n % 29 === 0 ? [{ type: 'text', text: `part ${n}` }] : [call(`c${n}`)],
      },
      uuid: `a${n}`,
    }));
    expect(skim(JSON.stringify(blocks[0]))?.type).toBe('assistant');
    const place = placed(lines(user('u', null, 'Go on.', { isSidechain: false }), ...blocks));
    expect(tellSession(place)).toEqual({ turns: 1, lastMessage: 'part 0 part 29' });
    expect(await byItsSteps(place)).toEqual(tellSession(place));
  });
});

function results(more: object = {}, block: object = {}): string {
  return JSON.stringify({
    parentUuid: 'p',
    isSidechain: false,
    type: 'user',
    message: {
      role: 'user',
      content: [{ tool_use_id: 't', type: 'tool_result', content: '"uuid":"no"', ...block }],
    },
    uuid: 'u',
    ...more,
  });
}

describe('a line that is skimmed', () => {
  test('tells its place', () => {
    expect(skim(results())).toEqual({ type: 'user', uuid: 'u', parentUuid: 'p', isSidechain: false });
  });

  test.each([
    ['another uuid is in it', results({ toolUseResult: { uuid: 'x' } })],
    ['words are beside the results', results({}, { content: [{ type: 'text', text: 'hi' }] })],
    ['it is of another agent', results().replace('"isSidechain":false', '"isSidechain":true')],
    ['it has no place', results().replace('"uuid":"u"', '"x":"u"')],
    ['it is no conversation', '{"type":"summary","summary":"s"}'],
    ['a person wrote it', JSON.stringify(user('u', null, 'words'))],
  ])('is parsed where %s', (_, line) => {
    expect(skim(line)).toBeNull();
  });
});

import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { packetOf } from '../../../test/support/packet.ts';
import type { Contract } from '../contract/contract.ts';
import { digestOf } from '../journal/digest.ts';
import { handoffEdits, writeHandoff } from './handoff-markdown.ts';
import { readHandoff } from './handoff-read.ts';
import type { Claims } from '../packet/packet.ts';
import { runs } from '../../../test/property/seed.ts';

const contract: Contract = { v: 1, title: 'Rate limits', goal: 'Requests over the limit get 429.' };

function written(claims: Claims): string {
  const packet = packetOf(claims, 'planned', { artefacts: [{ path: 'src/limit.ts' }] });
  return writeHandoff(packet, contract, digestOf('packet'));
}

describe('lists as people write them', () => {
  test.each([
    ['numbers', '1. one\n2. two\n10) three'],
    ['other marks', '* one\n+ two\n• three'],
    ['paragraphs', 'one\n\ntwo\n\nthree'],
    ['a list that is indented', '  - one\n  - two\n  - three'],
    ['an empty item between', '- one\n-\n- two\n- three'],
    ['a rule between', '- one\n\n---\n\n- two\n- three'],
    ['a paragraph after a list', '- one\n- two\n\nthree'],
  ])('%s', (_, list) => {
    expect(readHandoff(`## Done\n\n${list}\n`)).toEqual({
      claims: { done: ['one', 'two', 'three'] },
      notes: [],
      remarks: [],
    });
  });

  test('items within items, and lines below, stay with theirs', () => {
    const list = '- one\n  - first\n    - deeper\n- two\nlazy\n1. three\n   - third\n\t- tab\n';
    expect(readHandoff(`## Remaining\n${list}`).claims.remaining).toEqual([
      'one\n- first\n  - deeper',
      'two\nlazy',
      'three\n- third\n- tab',
    ]);
  });

  test('evidence without spaces is evidence', () => {
    expect(readHandoff('## Done\n1. counts [j12,r12]\n').claims.done).toEqual([
      { text: 'counts', evidence: ['j12', 'r12'] },
    ]);
  });

  test('boxes say what is done, whatever the heading', () => {
    const { claims, remarks } = readHandoff(
      '## Todo\n- [x] tests\n- [ ] docs\n## Done\n- [X] code\n- [ ] help\n',
    );
    expect(claims).toEqual({ done: ['code', 'tests'], remaining: ['docs', 'help'] });
    expect(remarks.map(({ line, lost }) => [line, lost])).toEqual([
      [2, false],
      [6, false],
    ]);
  });

  test('a box that stands in a text comes back as it was', () => {
    const claims = { remaining: ['[x] marks the spot', '\\[ ] too'] };
    expect(readHandoff(written(claims))).toEqual({ claims, notes: [], remarks: [] });
  });

  test('headings between claims divide them, and are kept', () => {
    expect(
      readHandoff('## Done\n### API\n- counts\n- answers\n### UI\n\nshows it\n\n### Docs\n').claims.done,
    ).toEqual(['API: counts', 'API: answers', 'UI: shows it', 'Docs']);
  });

  test('"None." is no blocker', () => {
    expect(readHandoff('## Blockers\n\nNone.\n\n## Questions\n\nNone so far\n')).toEqual({
      claims: { blockers: [], questions: [] },
      notes: [],
      remarks: [],
    });
  });

  test('a fence of code hides what looks like a heading or an item', () => {
    expect(
      readHandoff('## Done\n- ran\n\n```sh\n# Next action\n- x\n```\n\n## Next action\ngo on\n').claims,
    ).toEqual({
      done: ['ran\n\n```sh\n# Next action\n- x\n```'],
      next: 'go on',
    });
    expect(readHandoff('## Done\n- ran\n```sh\n## Next action\ngo on\n').claims.next).toBe('go on');
  });
});

describe('headings as people write them', () => {
  test.each([
    [
      'done',
      [
        '# Completed',
        '### ✅ Done so far',
        "What's done\n-----------",
        '**Done:**',
        'Done:',
        '## 1. Done (2)',
      ],
    ],
    [
      'remaining',
      ['## Todo', '## TO-DO', "## What's left", '## What’s left?', '__Remaining work__', '## Left to do ##'],
    ],
    ['doing', ['## WIP', '## In Progress', '## Currently']],
    ['blockers', ['## Blocked by', '## Waiting for']],
  ] as const)('%s', (section, given) => {
    for (const heading of given)
      expect(readHandoff(`${heading}\n\n- one\n- two\n`)).toEqual({
        claims: { [section]: ['one', 'two'] },
        notes: [],
        remarks: [],
      });
  });

  test('decisions, dead ends and questions', () => {
    const file =
      '## Key decisions\n- window\n    - Because: smooth\n    - rejected: bucket\n## Dead ends\n- Redis — slow\n- etcd: no quota\n* files because they lock\n## Open questions\n- Per key?\n  * owner: agent:ada\n';
    expect(readHandoff(file)).toEqual({
      claims: {
        decisions: [{ text: 'window', why: 'smooth', rejected: ['bucket'] }],
        failed: [
          { what: 'Redis', why: 'slow' },
          { what: 'etcd', why: 'no quota' },
          { what: 'files', why: 'they lock' },
        ],
        questions: [{ text: 'Per key?', owner: 'agent:ada' }],
      },
      notes: [],
      remarks: [],
    });
  });

  test('the first of the next steps is the next action, unless another is named', () => {
    const steps = '## Next steps\n1. write the docs\n2. tag it\n';
    expect(readHandoff(steps).claims).toEqual({ next: 'write the docs', remaining: ['tag it'] });
    expect(readHandoff(`${steps}## Next action\n- make it pass\n`).claims).toEqual({
      next: 'make it pass',
      remaining: ['write the docs', 'tag it'],
    });
  });

  test('a command is read without the marks around it', () => {
    for (const given of ['```sh\nnpm test\n```', '`npm test`', 'npm test', '    npm test'])
      expect(readHandoff(`## Command\n\n${given}\n`).claims).toEqual({ command: 'npm test' });
    const claims = { command: '`npm test`' };
    expect(readHandoff(written(claims)).claims).toEqual(claims);
  });

  test('the same section twice is read as one', () => {
    expect(readHandoff('## Done\n- a\n## Completed\n- b\n## Summary\nc\n## Status\nd\n').claims).toEqual({
      done: ['a', 'b'],
      summary: 'c\n\nd',
    });
  });

  test('text below the title is the summary, where there is no other', () => {
    expect(readHandoff('# Handoff\n\nHalf way.\n\n## Done\n- a\n').claims.summary).toBe('Half way.');
    expect(readHandoff('# Handoff\n\nHalf way.\n\n## Summary\nb\n')).toEqual({
      claims: { summary: 'b' },
      notes: [],
      remarks: [{ line: 3, lost: true, text: expect.stringContaining('was not read') as string }],
    });
  });
});

describe('what is not read', () => {
  test('is named with its line', () => {
    const file = `${written({ done: ['a'] }).replace('## Done', '## Performance\n\n- slow\n- slower\n\n## Done')}\n## Afterthought\n`;
    const { claims, notes, remarks } = readHandoff(file);
    expect(claims).toEqual({ done: ['a'] });
    expect(notes).toEqual(['## Performance', '- slow', '- slower']);
    expect(remarks).toHaveLength(2);
    expect(file.split('\n')[(remarks[0]?.line ?? 0) - 1]).toBe('## Performance');
    expect(remarks[0]?.text).toContain(
      '"Performance" is no heading of claims: what stands below it is kept as a note (2 lines)',
    );
    expect(file.split('\n')[(remarks[1]?.line ?? 0) - 1]).toBe('## Afterthought');
    expect(handoffEdits(file)).toEqual({ ours: true, edited: true, factsEdited: false });
  });

  test('a heading that only holds others together is not named', () => {
    expect(readHandoff('## Where I am\n\n### Done\n- a\n').remarks).toEqual([]);
  });

  test('what is added below the seal is read', () => {
    expect(readHandoff(`${written({ next: 'go on' })}\n## Questions\n- Per key?\n`).claims).toEqual({
      next: 'go on',
      questions: [{ text: 'Per key?' }],
    });
  });

  test('a field that the section has no place for stays in the text', () => {
    expect(readHandoff('## Done\n- a\n  - because: b\n## Decisions\n- c\n  - owner: d\n').claims).toEqual({
      done: ['a\n- because: b'],
      decisions: [{ text: 'c\n- owner: d' }],
    });
  });

  test('an owner that is no address, and a dead end without a reason, are kept and named', () => {
    const { claims, remarks } = readHandoff('## Questions\n- Per key?\n  - owner: Ada\n## Tried\n- Redis\n');
    expect(claims).toEqual({
      questions: [{ text: 'Per key?\n- owner: Ada' }],
      failed: [{ what: 'Redis', why: 'No reason was given.' }],
    });
    expect(remarks.map(({ line, lost }) => [line, lost])).toEqual([
      [2, false],
      [5, false],
    ]);
  });
});

/** Edits that people make without thinking, each of a file as the tool wrote it. */
const edits: Readonly<Record<string, (file: string) => string>> = {
  numbers: (file) => renumbered(file),
  stars: (file) => file.replaceAll(/^- /gm, '* '),
  pluses: (file) => file.replaceAll(/^- /gm, '+ '),
  boxes: (file) => inSections(file, ['Done'], (line) => line.replace(/^([-*+]|\d+\.) (?!\\?\[)/, '$1 [x] ')),
  'empty boxes': (file) =>
    inSections(file, ['Remaining'], (line) => line.replace(/^([-*+]|\d+\.) (?!\\?\[)/, '$1 [ ] ')),
  paragraphs: (file) => inSections(file, ['Blockers'], (line) => line.replace(/^(?:[-*+]|\d+\.) /, '\n')),
  synonyms: (file) =>
    file
      .replace('## Done', '## What was done')
      .replace('## Remaining', "## What's left")
      .replace('## Next action', '# Do this next')
      .replace('## Blockers', '**Blocked by:**'),
  levels: (file) => file.replaceAll(/^## (Done|Remaining|Blockers)/gm, '#### $1'),
  underlined: (file) => file.replaceAll(/^## (Done|Remaining|Blockers)$/gm, '$1\n----'),
  'another section': (file) => file.replace(/^## Remaining/m, '## Performance\n\n- slow\n\n## Remaining'),
  'a heading between': (file) => file.replace(/^(## Done)$/m, '$1\n\n##### Server'),
  'a word below': (file) => `${file}\n## Open questions\n\n- Per key?\n`,
  windows: (file) => file.replaceAll('\n', '\r\n'),
};

function renumbered(file: string): string {
  let n = 0;
  return file.replaceAll(/^- /gm, () => `${(n += 1)}. `);
}

function inSections(file: string, titles: readonly string[], change: (line: string) => string): string {
  let isIn = false;
  return file
    .split('\n')
    .map((line) => {
      const heading = /^#+ (.*)$/.exec(line)?.[1];
      if (heading !== undefined) isIn = titles.includes(heading);
      return isIn ? change(line) : line;
    })
    .join('\n');
}

test('any natural edits of a file keep the text of every claim', () => {
  const word = fc
    .stringMatching(/^[a-z][a-z0-9 .:()*_`#>[\]-]{0,30}[a-z0-9]$/)
    .filter((said) => !said.startsWith('n'));
  const text = fc.oneof(
    word,
    fc.tuple(word, word).map((lines) => lines.join('\n')),
  );
  const claim = fc.oneof(text, fc.record({ text, evidence: fc.constant<string[]>(['j1', 'r12']) }));
  const list = fc.array(claim, { minLength: 1, maxLength: 4 });
  const given = fc.record(
    {
      summary: text,
      done: list,
      remaining: list,
      blockers: fc.array(word, { minLength: 1, maxLength: 3 }),
      next: word,
    },
    { requiredKeys: ['done', 'remaining'] },
  );
  const chosen = fc.uniqueArray(fc.constantFrom(...Object.keys(edits)), { maxLength: 4 });
  fc.assert(
    fc.property(given, chosen, (claims, names) => {
      const file = names.reduce((text_, name) => edits[name]?.(text_) ?? text_, written(claims));
      const read = readHandoff(file);
      const found = JSON.stringify(read.claims).replaceAll(/\\n */g, ' ');
      for (const said of [claims.done, claims.remaining, claims.blockers ?? []].flat()) {
        const words = (typeof said === 'string' ? said : said.text).replaceAll(/\n */g, ' ');
        expect(found).toContain(JSON.stringify(words).slice(1, -1));
      }
      for (const said of [claims.summary, claims.next].flatMap((text_) => text_ ?? []))
        expect(found).toContain(JSON.stringify(said).slice(1, -1).replaceAll('\\n', ' '));
      expect(read.remarks.filter(({ lost }) => lost)).toEqual([]);
      expect(read.notes.includes('## Performance')).toBe(file.includes('## Performance'));
    }),
    runs(3000),
  );
});

import { describe, expect, test } from 'vitest';
import { storyOfSteps } from '../../../test/support/story.ts';
import { statementsIn } from './statements.ts';

type Steps = Parameters<typeof storyOfSteps>[0];

function stated(steps: Steps): string[] {
  return statementsIn(storyOfSteps(steps).steps).map(
    ({ kind, text, ref, superseded }) =>
      `${kind} s${ref}: ${text}${superseded === undefined ? '' : ` (s${superseded})`}`,
  );
}

function kindOf(text: string, by: 'user' | 'agent' = 'user'): string | undefined {
  // The first words of a session are its goal in any case.
  const steps: Steps = [
    ['user', 'Please add a dry-run mode.'],
    [by, text],
  ];
  return statementsIn(storyOfSteps(steps).steps).find(({ ref }) => ref === 2)?.kind;
}

describe('users', () => {
  test('state goals, criteria, constraints, non-goals and reviewers', () => {
    expect(
      stated([
        [
          'user',
          'Please add a dry-run mode to the importer. It is done when `npm test` passes. Never touch src/api.ts! The installer is out of scope. Ask Dana for a review.',
        ],
      ]),
    ).toEqual([
      'goal s1: Please add a dry-run mode to the importer.',
      'acceptance s1: It is done when `npm test` passes.',
      'constraint s1: Never touch src/api.ts!',
      'non-goal s1: The installer is out of scope.',
      'reviewer s1: Ask Dana for a review.',
    ]);
  });

  test('are kept word for word where no sign is known, in any language', () => {
    expect(kindOf('Rajapintaan ei saa koskea.')).toBe('said');
    expect(kindOf('The parser has a long history at the museum.')).toBe('said');
  });

  test('are understood in the usual words of four other languages', () => {
    for (const [text, kind] of [
      ['Bitte die Schnittstelle nicht anfassen.', 'constraint'],
      ['Non modificare lo schema.', 'constraint'],
      ['No cambies la API pública.', 'constraint'],
      ['Ne touche pas au schéma.', 'constraint'],
      ['Ziel: der Import läuft ohne Netz.', 'goal'],
      ['Vorrei che il report arrivasse via mail.', 'goal'],
      ['Necesitamos un modo sin conexión.', 'goal'],
      ['Il faut ajouter un export.', 'goal'],
      ['Nicht Teil davon: die Windows-Version.', 'non-goal'],
      ['È finito quando passano tutti i test.', 'acceptance'],
    ] as const)
      expect([text, kindOf(text)]).toEqual([text, kind]);
  });

  test('say by a few words before a colon what follows is', () => {
    for (const [text, kind] of [
      ['Done when: the old endpoint answers 410', 'acceptance'],
      ['ready = all tests green on node 24', 'acceptance'],
      ['**Explicitly excluded:** bulk import', 'non-goal'],
      ['Objective: replace moment with date-fns', 'goal'],
      ['Rules: one change a commit', 'constraint'],
    ] as const)
      expect([text, kindOf(text)]).toEqual([text, kind]);
  });

  test('say by a short line without a colon what the list below is, and the next paragraph ends that', () => {
    const found = stated([
      ['user', 'Add an export.'],
      ['user', 'Non-goals\n\n- rewriting the scheduler\n\nThe museum was nice.\n\n- tickets\n- a map'],
    ]);
    expect(found).toContain('non-goal s2: rewriting the scheduler');
    expect(found).toContain('said s2: tickets');
  });

  test('forbid nothing by telling what they do not know or did not see', () => {
    for (const text of [
      "I don't know who wrote this.",
      'I did not see any difference there.',
      'it never worked on Fridays',
      'no idea what that means',
      'I always forget that command',
    ])
      expect([text, kindOf(text)]).toEqual([text, 'said']);
  });

  test('open a session with what they want, not with who they are', () => {
    const [first, second] = stated([
      [
        'user',
        'Hello, I am responsible of the billing module. It is needed that invoices are generated as PDF.',
      ],
    ]);
    expect(first).toMatch(/^said /);
    expect(second).toMatch(/^goal /);
  });

  test.each([
    [
      'a block comment',
      '/**\n * Never call this twice.\n * The goal is to count rows.\n */\nfunction count(rows) {',
    ],
    ['a comment above code', '# Never import this directly.\nimport os\nimport sys'],
    ['a comment behind code', 'const rows = read(); // never change this'],
    ['a comment in SQL', '-- Do not drop this table.\nSELECT * FROM accounts;'],
    ['a comment in HTML', '<!-- Never edit this by hand -->\n<div class="total"></div>'],
    ['the log of a kernel', '[   12.4] usb: must not be suspended\n[   12.5] usb: reset'],
    ['what a linter printed', 'src/a.ts:12:3: error: never use var\nsrc/a.ts:14:3: error: do not use any'],
  ])('set no rule by pasting %s', (_, pasted) => {
    const found = statementsIn(
      storyOfSteps([
        ['user', 'Add an export.'],
        ['user', `${pasted}\n\nwhere does that come from?`],
      ]).steps,
    ).filter(({ ref }) => ref === 2);
    expect(found.length).toBeGreaterThan(0);
    expect(found.filter(({ kind }) => kind !== 'said')).toEqual([]);
  });

  test('say nothing that lasts in small talk', () => {
    for (const text of ['ok', 'thanks, go on', 'Looks good!', 'yes please', '...'])
      expect([text, kindOf(text)]).toEqual([text, undefined]);
  });

  test('set no rule by quoting one', () => {
    expect(kindOf('The vendor says "you must never call it twice", which is odd.')).toBe('said');
    expect(kindOf('What does `never` do here?')).toBe('said');
  });

  test('say by a heading what the items below are', () => {
    expect(
      stated([['user', 'Acceptance criteria:\n- a killed upload resumes\n\nOut of scope:\n- Safari']]),
    ).toEqual([
      'said s1: Acceptance criteria:',
      'acceptance s1: a killed upload resumes',
      'said s1: Out of scope:',
      'non-goal s1: Safari',
    ]);
  });

  test('open a session with its goal, whatever the words', () => {
    expect(stated([['user', 'Dry-run mode for the importer.']])).toEqual([
      'goal s1: Dry-run mode for the importer.',
    ]);
  });

  test('are heard in words that look like a log or code', () => {
    expect(kindOf('Never log tokens at INFO level.')).toBe('constraint');
    expect(kindOf('<Button> must never be disabled on mobile.')).toBe('constraint');
    expect(kindOf("Make `parse('1e3')` return 1000.")).toBe('goal');
  });

  test('set no rule by pasting one, and are shown with it all the same', () => {
    const found = statementsIn(storyOfSteps([['user', 'Add an export.\n\n```\nNever touch it.\n```']]).steps);
    expect(found.at(-1)).toMatchObject({ kind: 'said', text: 'Never touch it.', pasted: true });
  });

  test('have no goal in what they say they do not want', () => {
    for (const text of [
      "PDF output isn't something I want in this round.",
      'Rewriting the parser is not what this is about.',
      'A Windows port is not what I am after.',
      'Nobody asked for a cache, and we do not need one.',
    ]) {
      expect([text, kindOf(text)]).toEqual([text, 'non-goal']);
      expect(stated([['user', `${text} Add an export.`]])[1]).toBe('goal s1: Add an export.');
    }
  });

  test('open a session with the first request, also where it says when it is done', () => {
    expect(
      stated([
        [
          'user',
          'We need the export endpoint to stream rows so that the tests pass within 50 MB. PDF is out of scope.',
        ],
      ])[0],
    ).toMatch(/^goal s1: We need the export endpoint/);
  });

  test('ask for something in a sentence that has a not in it', () => {
    expect(kindOf('I want you to stream it, so that it does not run out of memory.')).toBe('goal');
  });

  test('ask for work by a question, and for an answer by others', () => {
    expect(kindOf('Can you build an export page?')).toBe('goal');
    expect(kindOf('Why must it never be called twice?')).toBe('said');
  });

  test('are told once, where they said it first', () => {
    expect(
      stated([
        ['user', 'Add an export.'],
        ['user', 'Never touch the schema.'],
        ['user', 'never touch the schema'],
      ]),
    ).toEqual(['goal s1: Add an export.', 'constraint s2: Never touch the schema.']);
  });
});

describe('agents', () => {
  test('state decisions, dead ends, blockers and next steps', () => {
    for (const [text, kind] of [
      ['I decided to use cursors instead of page numbers because rows move.', 'decision'],
      ['I tried a global mutex, but two requests wait for each other forever.', 'dead-end'],
      ['I cannot continue without the staging password.', 'blocker'],
      ['Next step: wire the reader into src/main.ts.', 'next'],
    ] as const)
      expect([text, kindOf(text, 'agent')]).toEqual([text, kind]);
  });

  test('describe code without speaking of the work', () => {
    for (const text of [
      'The next call returns the rest of the page.',
      'The remaining bytes are padding for alignment.',
      'A token that expired is refused with 401.',
      'If the key is missing the default applies.',
      'The pending requests are kept in a map.',
      'Frames that are late are dropped by the player.',
      'Dates are strings in this file, not numbers.',
    ])
      expect([text, kindOf(text, 'agent')]).toEqual([text, 'concluded']);
  });

  test('leave as the next step what has an empty box, and not what is ticked', () => {
    const found = stated([['agent', 'Next steps:\n- [x] write the parser\n- [ ] write the printer']]);
    expect(found).toContain('next s1: write the printer');
    expect(found).not.toContain('next s1: write the parser');
  });

  test('are not taken for narrating by a first word', () => {
    expect(kindOf('Reading the size from the log is unreliable, colours break it.', 'agent')).toBeDefined();
    expect(kindOf('Reading the log of the last build.', 'agent')).toBeUndefined();
  });

  test('narrate without stating anything', () => {
    for (const text of [
      'Let me look at src/import.ts first.',
      "Now I'll run the tests.",
      'The tests pass.',
      'Reading the file to see how it is called.',
    ])
      expect([text, kindOf(text, 'agent')]).toEqual([text, undefined]);
  });

  test('may conclude in words that no sign knows', () => {
    expect(kindOf('The accounts table has had three owners over the years.', 'agent')).toBe('concluded');
  });

  test('are told where they said it last', () => {
    expect(
      stated([
        ['agent', 'Next step: add the migration.'],
        ['agent', 'Next step: add the migration.'],
      ]),
    ).toEqual(['next s2: Next step: add the migration.']);
  });
});

describe('what is no statement', () => {
  test('stands on a branch that was left, in a replaced capture, or comes from the program', () => {
    expect(
      stated([
        ['user', 'Never touch a.', { aside: 'branch-left' }],
        ['user', 'Never touch b.', { aside: 'rewritten' }],
        ['system', 'Never touch c.'],
        ['user', 'Never touch d.', { aside: 'compacted' }],
      ]),
    ).toEqual(['constraint s4: Never touch d.']);
  });

  test('is what an agent tells its subagent', () => {
    const { steps } = storyOfSteps([
      ['user', 'Add an export.'],
      ['user', 'Never touch the schema.', { session: 1 }],
    ]);
    const found = statementsIn(steps, { subagents: new Set([1]) });
    expect(found.map(({ text }) => text)).toEqual(['Add an export.']);
  });
});

describe('what is taken back', () => {
  test('is the statement that shares its words', () => {
    expect(
      stated([
        ['user', 'Use yarn for the packages. Never touch the schema.'],
        ['user', 'Actually, use pnpm for the packages instead.'],
      ]),
    ).toContain('constraint s1: Use yarn for the packages. (s2)');
  });

  test('is what somebody names when they say to forget it', () => {
    const found = stated([
      ['user', 'Add an export. The settings page must stay as it is.'],
      ['user', 'Forget what I said about the settings page.'],
    ]);
    expect(found).toContain('constraint s1: The settings page must stay as it is. (s2)');
    expect(found).toContain('goal s1: Add an export.');
  });

  test('is the statement before, where nothing is named', () => {
    expect(
      stated([
        ['user', 'Add an export.'],
        ['user', 'Never use the cache.'],
        ['user', 'Scratch that.'],
      ]),
    ).toContain('constraint s2: Never use the cache. (s3)');
  });

  test('is nothing where another thing is added', () => {
    const found = stated([
      ['user', 'Add an export. Never touch the schema.'],
      ['user', 'Actually, the docs need a page as well.'],
    ]);
    expect(found.filter((line) => line.endsWith('(s2)'))).toEqual([]);
  });
});

describe('a sentence that is said again', () => {
  const words = 'The parser keeps a list of all open files.';

  test('is judged by what stands over it, whether or not it was said without', () => {
    expect(
      stated([
        ['user', 'Please add a dry-run mode.'],
        ['agent', words],
        ['agent', `Decisions:\n\n- ${words}`],
        ['agent', words],
      ]).slice(1),
    ).toEqual([`decision s3: ${words}`, `concluded s4: ${words}`]);
  });

  test('counts where it was said last, however often that was', () => {
    const often = Array.from({ length: 50 }, (): Steps[number] => ['agent', words]);
    expect(stated([['user', 'Please add a dry-run mode.'], ...often]).slice(1)).toEqual([
      `concluded s51: ${words}`,
    ]);
  });
});

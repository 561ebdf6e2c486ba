import { expect, test } from 'vitest';
import { storyOfSteps } from '../../../test/support/story.ts';
import { statementsIn } from './statements.ts';

/** Said in the second message, so that nothing counts for being said first. */
function kindOf(text: string): string | undefined {
  const { steps } = storyOfSteps([
    ['user', 'Add an export.'],
    ['user', text],
  ]);
  return statementsIn(steps).find(({ ref }) => ref === 2)?.kind;
}

test.each([
  'once the badge turns green we are done',
  'If the second import adds nothing, then we’re all set.',
  'as soon as the page shows my name im happy',
  "We're golden when both servers answer.",
  'Good to go once the smoke test passes.',
  'when two people can edit the same row, that is good to go',
])('a state in which somebody is content is a criterion: %s', (text) => {
  expect(kindOf(text)).toBe('acceptance');
});

test.each([
  "I'd rather you didn't introduce a new queue.",
  'We would prefer not to depend on lodash.',
  "i'd rather it didn't write to disk",
  'I would appreciate it if you did not squash the commits.',
  'We prefer no globals in there.',
  'We would rather you left the fonts where they are.',
])('a polite wish that something is not done is a constraint: %s', (text) => {
  expect(kindOf(text)).toBe('constraint');
});

test.each(['I would rather use tabs.', "We'd prefer short names.", 'Ideally with a progress bar.'])(
  'a wish that something is done stays a preference: %s',
  (text) => {
    expect(kindOf(text)).toBe('preference');
  },
);

test.each([
  'plain text passwords = no-go',
  'Global state is a no go here.',
  'A second database is a deal breaker.',
  'root in the container: never',
  'Downtime on weekdays is a hard no.',
  'ok but keep the latency flat, no sleeps',
  'alright, only the billing folder though',
  'Ship no polyfill.',
])('what must not be is a constraint in short words too: %s', (text) => {
  expect(kindOf(text)).toBe('constraint');
});

test.each([
  "We don't need a changelog entry.",
  'You won’t need a feature flag.',
  'users do not really need the old theme',
  'No migration guide needed.',
  'We can do without the animations.',
])('what nobody needs is not part of the work: %s', (text) => {
  expect(kindOf(text)).toBe('non-goal');
});

test.each([
  'the demo went fine, we are good',
  'it is good that you asked',
  'there was no time when I was done',
])('content alone is no criterion: %s', (text) => {
  expect(kindOf(text)).not.toBe('acceptance');
});

test.each([
  ['I’d like old drafts to be removed.', 'goal'],
  ['A reply has to arrive within a minute.', 'acceptance'],
  ['it has to work on firefox esr', 'constraint'],
  ['The scripts stay POSIX.', 'constraint'],
  ['Bitte keine neuen Abhängigkeiten einbauen.', 'constraint'],
  ['Niente librerie esterne.', 'constraint'],
  ['No subas nada a producción.', 'constraint'],
  ['Pas de variables globales.', 'constraint'],
  ['We’re not going to translate the manual.', 'non-goal'],
  ['Die alten Daten müssen wir nicht übernehmen.', 'non-goal'],
  ['Il design può aspettare.', 'non-goal'],
  ['Paula from the lab has to approve it.', 'reviewer'],
  ['Before it goes out, our editor Lena takes a look.', 'reviewer'],
  ['I want to see the patch myself before it is merged.', 'reviewer'],
  ['Jonas soll das freigeben.', 'reviewer'],
])('%s is a %s', (text, kind) => {
  expect(kindOf(text)).toBe(kind);
});

test.each(['I counted three rows, not four', 'I want to see all checks green before you merge.'])(
  'what was seen, and what is to be seen, is no limit and names no reviewer: %s',
  (text) => {
    expect(['constraint', 'reviewer']).not.toContain(kindOf(text));
  },
);

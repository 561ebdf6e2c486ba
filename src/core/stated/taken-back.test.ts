import { describe, expect, test } from 'vitest';
import { storyOfSteps } from '../../../test/support/story.ts';
import { draftContract } from './draft.ts';
import { statementsIn } from './statements.ts';
import { takenBackIn } from './taken-back.ts';

function drafted(...said: readonly string[]): ReturnType<typeof draftContract>['contract'] {
  return draftContract(
    storyOfSteps(said.flatMap((text) => [['user', text] as const, ['agent', 'OK.'] as const])),
  ).contract;
}

describe('a message that takes something back', () => {
  test('is an order, and what it takes back no longer holds', () => {
    const contract = drafted(
      'Move the sessions to Redis. The cookie must stay valid until the summer.',
      'Forget what I said about the summer, drop the cookie at once.',
    );
    expect(contract.nonGoals).toBeUndefined();
    expect(JSON.stringify(contract)).not.toContain('must stay valid');
    expect([contract.goal, ...(contract.constraints ?? [])].join('\n')).toContain('drop the cookie at once');
  });

  test.each([
    ['Disregard my earlier request and skip the index on email.'],
    ['On second thought, remove the index on email.'],
    ['Actually, never mind what I wrote about the index: leave out the one on email.'],
    ['Scratch that, exclude the index on email from the migration.'],
    ['I changed my mind about the index, omit it.'],
  ])('is never something that is not wanted: %s', (text) => {
    const contract = drafted('Write the migration. It must keep the index on email.', text);
    expect(contract.nonGoals).toBeUndefined();
    expect([contract.goal, ...(contract.constraints ?? [])].join('\n')).toContain(text);
  });

  test('takes back what it names, however little of that it repeats', () => {
    const found = statementsIn(
      storyOfSteps([
        ['user', 'Add an export. Reports older than ninety days must be kept in the archive bucket.'],
        ['user', 'Ignore what I said about the archive.'],
      ]).steps,
    );
    expect(found.filter(({ superseded }) => superseded === 2).map(({ text }) => text)).toEqual([
      'Reports older than ninety days must be kept in the archive bucket.',
    ]);
  });

  test('may still say outright that something is not part of the work', () => {
    const contract = drafted('Add an export.', 'I changed my mind, PDF is out of scope.');
    expect(contract.nonGoals).toEqual(['I changed my mind, PDF is out of scope.']);
  });

  test('states nothing where it names nothing and orders nothing', () => {
    expect(drafted('Add an export.', 'On second thought…').constraints).toBeUndefined();
  });
});

test('to drop something is work, unless it is dropped from the work', () => {
  expect(drafted('Tidy the schema.', 'Drop the legacy_users table as well.').nonGoals).toBeUndefined();
  expect(drafted('Tidy the schema.', 'Drop the dashboard idea, it is too big.').nonGoals).toHaveLength(1);
});

test('what is taken back and what is said in its place are told apart', () => {
  expect(takenBackIn('Forget what I said about the limit and use 50.')).toEqual({
    about: 'the limit',
    order: 'use 50.',
  });
  expect(takenBackIn('Do not forget what I said about the limit.')).toBeNull();
});

test.each([
  [
    'German',
    'Bau die Migration. Der Index auf email muss erhalten bleiben.',
    'Vergiss, was ich zum Index gesagt habe, lösch ihn.',
  ],
  [
    'French',
    'Écris la migration. L’index sur email doit rester.',
    'Oublie ce que j’ai dit sur l’index, supprime-le.',
  ],
  [
    'Spanish',
    'Escribe la migración. El índice de email debe mantenerse.',
    'Olvida lo que dije sobre el índice y quítalo.',
  ],
  [
    'Italian',
    "Scrivi la migrazione. L'indice su email deve restare.",
    "Dimentica quello che ho detto sull'indice, toglilo.",
  ],
])('in %s, too, what is taken back no longer holds and what is said in its place does', (_, before, back) => {
  const contract = drafted(before, back);
  expect(contract.nonGoals).toBeUndefined();
  expect(contract.constraints).toEqual([back]);
  expect(contract.goal).toBe(before.split('. ')[0] + '.');
});

test.each([
  ['Ich hab’s mir mit dem Cache anders überlegt.', 'Cache', ''],
  ['Ignoriere meine letzte Bitte zum Index.', 'Index', ''],
  ['J’ai changé d’avis sur la limite, garde 50.', 'limite', 'garde 50.'],
  ['He cambiado de opinión sobre el límite: usa 50.', 'límite', 'usa 50.'],
  ['Ho cambiato idea sulla cache, usa Redis.', 'cache', 'usa Redis.'],
])('what is taken back is named without its article: %s', (text, about, order) => {
  expect(takenBackIn(text)).toEqual({ about, order });
});

test.each([
  'Vergiss nicht, was ich über den Januar gesagt habe.',
  'N’oublie pas ce que j’ai dit sur le cache.',
  'No olvides lo que dije sobre el índice.',
  'Non dimenticare quello che ho detto sulla cache.',
])('to ask not to forget takes nothing back: %s', (text) => {
  expect(takenBackIn(text)).toBeNull();
});

test.each(['Vergiss das.', 'Laisse tomber.', 'Olvídalo.', 'Come non detto.'])(
  'a few words take back what stands before them, and state nothing: %s',
  (text) => {
    const contract = drafted('Add an export. It must never write to disk.', text);
    expect([contract.constraints, contract.nonGoals]).toEqual([undefined, undefined]);
  },
);

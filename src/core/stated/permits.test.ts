import { describe, expect, test } from 'vitest';
import { storyOfSteps } from '../../../test/support/story.ts';
import { draftContract, statementsOf } from './draft.ts';
import { guessesOf } from './guess.ts';
import { permitIn } from './permits.ts';
import type { Statement } from './statements.ts';

function storyOf(said: readonly string[]): ReturnType<typeof storyOfSteps> {
  return storyOfSteps(said.flatMap((text) => [['user', text] as const, ['agent', 'OK.'] as const]));
}

function drafted(...said: readonly string[]): ReturnType<typeof draftContract>['contract'] {
  return draftContract(storyOf(said)).contract;
}

function gone(...said: readonly string[]): Statement[] {
  return statementsOf(storyOf(said)).filter(({ superseded }) => superseded !== undefined);
}

describe('a permission that names what was forbidden', () => {
  test.each([
    ["You're not allowed to use pandas.", 'Actually pandas is ok.'],
    ["Don't use pandas.", 'pandas is fine after all'],
    ["Don't use pandas.", 'We can use pandas after all.'],
    ["Don't use pandas.", 'I am fine with pandas now.'],
    ["Don't touch Cart.", 'you can touch Cart now'],
    ['Leave the Cart class alone please, somebody else is in there.', 'Feel free to edit Cart.'],
    ['Stay away from the indexer.', 'The indexer is no longer off limits.'],
    ['Nobody may edit schema.sql.', 'schema.sql can be edited now.'],
    ['Do not touch schema.sql or api.ts.', 'You can change schema.sql and api.ts now.'],
    ['No new dependencies.', 'New dependencies are fine now.'],
    ['Never push to main.', 'You can push to main now.'],
    ["Don't rename anything.", 'Renaming is fine.'],
    ['Only edit src/a.ts.', 'You can edit other files too now.'],
    ['Tests must not hit the network.', 'Forget the network rule.'],
    ['Du darfst pandas nicht benutzen.', 'pandas ist doch ok.'],
    ['Die Klasse Cart nicht anfassen.', 'Du kannst Cart jetzt ändern.'],
    ['N’utilise pas pandas.', 'Finalement pandas c’est bon.'],
    ['Ne touche pas à la classe Cart.', 'Tu peux toucher à Cart maintenant.'],
    ['No uses pandas.', 'Al final pandas está bien.'],
    ['No toques la clase Cart.', 'Ya puedes tocar Cart.'],
    ['Non usare pandas.', 'Alla fine pandas va bene.'],
    ['Non toccare la classe Cart.', 'Puoi toccare Cart adesso.'],
  ])('takes that rule back: %s → %s', (rule, permit) => {
    const said = ['Add an importer.', rule, permit];
    expect(gone(...said).map(({ text, superseded }) => [text, superseded])).toEqual([[rule, 5]]);
    const { acceptance, constraints, nonGoals } = drafted(...said);
    expect([acceptance, constraints, nonGoals]).toEqual([undefined, undefined, undefined]);
    expect(guessesOf(storyOf(said)).next).toBe('go on with what was asked last: Add an importer.');
  });

  test.each([
    ['Never use pandas in the parser.', 'The parser is fine now.', 'another thing is in order'],
    ["Don't change test/cart.json.", 'You can use test/cart.json as a sample.', 'another deed is allowed'],
    ["Don't change src/legacy.", 'You can read src/legacy.', 'to look was never forbidden'],
    ["Don't touch the tests.", 'Actually the tests are fine.', 'how something is says nothing'],
    ['The tour must play in all twelve rooms.', 'I counted eleven rooms, not twelve.', 'a correction'],
    ["Don't use pandas.", 'Is pandas ok now?', 'a question allows nothing'],
    ["Don't use pandas.", 'If pandas is ok now, tell me.', 'a condition allows nothing'],
  ])('takes nothing else back: %s → %s (%s)', (rule, permit) => {
    expect(gone('Add an importer.', rule, permit)).toEqual([]);
    const { constraints = [], acceptance = [] } = drafted('Add an importer.', rule, permit);
    expect([...constraints, ...acceptance]).toContain(rule);
  });

  test('is an exception where the rule forbids more, and both hold', () => {
    expect(
      drafted('Write it. Do not touch schema.sql or api.ts.', 'you can change schema.sql').constraints,
    ).toEqual(['Do not touch schema.sql or api.ts.', 'you can change schema.sql']);
  });

  test('is none where it says no', () => {
    const again = 'You can’t use pandas after all.';
    expect(drafted("Write it. Don't use pandas.", again).constraints).toEqual([again]);
  });

  test('that has a limit of its own is a rule', () => {
    const permit = 'Feel free to use pandas, but only in the tests.';
    expect(drafted("Write it. Don't use pandas.", permit).constraints).toEqual([permit]);
  });

  test('holds until it is forbidden again, in the same words too', () => {
    const said = ["Write it. Don't use pandas.", 'pandas is ok after all', "Don't use pandas."];
    expect(drafted(...said).constraints).toEqual(["Don't use pandas."]);
    expect(draftContract(storyOf(said)).evidence.constraints).toEqual(['s5']);
  });
});

describe('what is dismissed by its name', () => {
  test.each([
    [
      'Sessions older than 30 days must stay readable.',
      'Scrap the 30 days thing, just wipe all the old sessions now.',
    ],
    ['Leave the Cart class alone.', 'Never mind Cart, Ines is finished, edit what you need.'],
    ['No new dependencies.', 'Fine, add zod, one new dependency is ok.'],
    ['You must use tabs.', 'Spaces, not tabs, sorry.'],
    ['It must run on Node 16.', "Node 16 doesn't matter any more, use what you like."],
    ['Die Klasse Cart nicht anfassen.', 'Vergiss das mit Cart, änder was du brauchst.'],
    ['Ne touche pas à la classe Cart.', 'Oublie Cart, modifie ce que tu veux.'],
    ['No toques la clase Cart.', 'Olvida lo de Cart, edita lo que necesites.'],
    ['Non toccare la classe Cart.', 'Lascia perdere Cart, modifica quello che ti serve.'],
  ])('no longer holds, and what is said in its place does: %s → %s', (rule, back) => {
    const { acceptance, constraints, nonGoals } = drafted('Move the store.', rule, back);
    expect([acceptance, constraints, nonGoals]).toEqual([undefined, [back], undefined]);
  });

  test('leaves its place to the order in the next sentence', () => {
    const { acceptance, constraints, nonGoals } = drafted(
      'Move the store. Leave the Cart class alone.',
      'Never mind Cart. Ines is finished. Edit what you need.',
    );
    expect([acceptance, constraints, nonGoals]).toEqual([undefined, ['Edit what you need.'], undefined]);
  });

  test('may be a reviewer', () => {
    expect(
      drafted('Add it. Ines has to sign off first.', "Ines doesn't need to sign off after all.").review,
    ).toBeUndefined();
  });

  test('is not wanted where nobody asked for it before', () => {
    expect(drafted('Add an export.', 'Never mind the Windows build.').nonGoals).toHaveLength(1);
  });

  test('is no criterion, whatever its words', () => {
    expect(
      drafted('Add a page.', 'Never mind Cart, it is done when you need it.').acceptance,
    ).toBeUndefined();
  });
});

test.each(["Actually, let's do shell completion after all.", 'Shell completion is in scope after all.'])(
  'what was left out of the work can be taken in: %s',
  (text) => {
    const contract = drafted('Port the CLI. Shell completion is out of scope.', text);
    expect(contract.nonGoals).toBeUndefined();
    expect([contract.goal, ...(contract.constraints ?? [])].join('\n')).toContain(text);
  },
);

test('another number takes the place of the one before it', () => {
  expect(drafted('Make it fast. Done when coverage is 90%.', 'Make that 80%.').acceptance).toEqual([
    'Done when coverage is 90%. Make that 80%.',
  ]);
});

test('what was asked for and then forbidden is no longer asked for', () => {
  const story = storyOf(['Look into the red build.', 'also bump node to 22', "Don't bump node after all."]);
  expect(guessesOf(story).next).not.toContain('bump');
});

test('what is allowed and what else is said are told apart', () => {
  expect(permitIn('You can touch src/cart.ts now, but keep its API.')).toEqual({
    way: 'allows',
    about: 'src/cart.ts',
    deed: 'change',
    unsure: false,
    order: 'but keep its API.',
  });
});

/**
 * What a session suggests for a field that nobody stated: for a person to accept, change or delete, and never taken without one.
 *
 *   goal          what the session was opened with
 *   validation    the last test, build or check that ran and changes nothing else (`proving.ts`)
 *   acceptance    that this command passes, else that the goal is there
 *   nonGoals      files other than those that were changed
 *   review        a person: whoever answers is one
 *   next          the command under way, else the failure that was not mended, else what the person asked for last: never a limit,
 *                 a criterion or what is not wanted
 */
import { sanitize } from '../sanitize.ts';
import { cut } from '../text.ts';
import type { Story } from '../transcript/story.ts';
import { stoppedIn } from './claims.ts';
import { draftContract, isOnlyAsked, proofsIn, quoteOf, statementsOf } from './draft.ts';
import { editsIn } from './edits.ts';
import { isQuestion } from './leaning.ts';
import { runsIn, type SessionRun } from './runs.ts';

export type GuessedField = 'goal' | 'acceptance' | 'nonGoals' | 'validation' | 'review' | 'next';

/** It has to fit on a line or two of a terminal. */
const charsMax = 240;
const namedMax = 3;

export function guessesOf(story: Story): Readonly<Partial<Record<GuessedField, string>>> {
  const runs = runsIn(story.steps);
  const command = proofsIn(story).findLast((proof) => proof.command.length <= charsMax)?.command;
  const opening = openingIn(story);
  const asked = draftContract(story).quotes.goal?.[0]?.text ?? opening;
  const guesses: Readonly<Record<GuessedField, string | null>> = {
    goal: opening,
    validation: command ?? null,
    acceptance:
      command === undefined ? asked && `what was asked for is there: ${asked}` : `${command} passes`,
    nonGoals: othersThan(editsIn(story.steps).map(({ path }) => path)),
    review: 'human',
    next: nextIn(story, runs),
  };
  return Object.fromEntries(
    Object.entries(guesses).flatMap(([field, words]) =>
      words === null || words.trim() === '' ? [] : [[field, oneLine(words)]],
    ),
  );
}

function openingIn({ steps }: Story): string | null {
  return steps.find(({ source, text }) => source === 'user' && text.trim() !== '')?.text ?? null;
}

function othersThan(paths: readonly string[]): string | null {
  const named = [...new Set(paths)];
  return named.length === 0 || named.length > namedMax ? null : `files other than ${named.join(', ')}`;
}

function nextIn(story: Story, runs: readonly SessionRun[]): string | null {
  const command = stoppedIn(story);
  if (command !== null)
    return `see whether what was running took effect, before it is run again: ${command.text}`;
  const broken = runs.findLast(
    ({ proof, failed, passed }) => proof !== null && failed !== null && failed.ref > (passed?.ref ?? 0),
  );
  if (broken !== undefined) return `make ${broken.proof} pass`;
  const asked = askedLast(story);
  return asked === null ? null : `go on with what was asked last: ${asked}`;
}

/** The last request; or a message after it that is nothing else and denies nothing. */
function askedLast(story: Story): string | null {
  const all = statementsOf(story);
  const users = all.filter(
    ({ by, superseded, pasted, retracts }) =>
      by === 'user' && superseded === undefined && pasted === undefined && retracts === undefined,
  );
  const isAnswered = story.steps.at(-1)?.source === 'agent';
  for (const ref of new Set(users.map((said) => said.ref).toReversed())) {
    const message = users.filter((said) => said.ref === ref);
    const request = message.findLast((said) => said.kind === 'goal' && !(isAnswered && isOnlyAsked(said)));
    if (request !== undefined) return quoteOf(request).text;
    if (message.some(({ kind }) => kind !== 'said' && kind !== 'goal')) continue;
    const last = message.findLast(({ text }) => !limits.test(text) && !(isAnswered && isQuestion(text)));
    if (last !== undefined && last.text.split(' ').length >= wordsMin) return last.text;
  }
  return draftContract(story, all).quotes.goal?.[0]?.text ?? null;
}

/** Words of a limit that no sign knows. */
const limits =
  /\b(?:no|not|never|none|nothing|without|later|skip|only|avoid|cannot|dont|nicht|kein\w*|ohne|vergiss|senza|sans|jamais|nunca)\b|n['’]t\b/i;
const wordsMin = 3;

function oneLine(words: string): string {
  return cut(sanitize(words).replaceAll(/\s+/g, ' ').trim(), charsMax);
}

/**
 * What stands in the place of an answer at a terminal, to be accepted with Enter: only words that the gate will not refuse. What the
 * session says and the gate refuses is shown beside the question, with the reason.
 */
import { severalOf, type Gap } from './dialogue.ts';
import type { Missing } from '../call/session-gaps.ts';
import type { Values } from '../frame/spec.ts';
import { UsageError } from '../frame/usage.ts';

/** `stillMissing`: the fields that are missing with these answers. */
export async function offeredAnswers(
  missing: readonly Missing[],
  answered: Values,
  stillMissing: (answers: Values) => Promise<ReadonlySet<string>>,
): Promise<Gap[]> {
  const offers = missing.map((one) => ({
    one,
    words: answered[one.option] === undefined ? wordsFor(one) : undefined,
  }));
  const tried = Object.fromEntries(
    offers.flatMap(({ one, words }) =>
      words === undefined ? [] : [[one.option, severalOf.has(one.option) ? [words] : words]],
    ),
  );
  const refused = await refusedOf(tried, async () => await stillMissing({ ...answered, ...tried }));
  return offers.map(({ one: { field, option, why, fix, draft, guess }, words }) => {
    const said = draft ?? guess;
    const fits = words !== undefined && refused?.has(field) === false;
    return { option, why, fix, ...(fits ? { offered: words } : said === undefined ? {} : { said }) };
  });
}

/** Undefined where they cannot be tried: then none is offered. */
async function refusedOf(
  tried: Values,
  missing: () => Promise<ReadonlySet<string>>,
): Promise<ReadonlySet<string> | undefined> {
  if (Object.keys(tried).length === 0) return new Set();
  try {
    return await missing();
  } catch (error) {
    if (error instanceof UsageError) return undefined;
    throw error;
  }
}

function wordsFor({ draft, guess }: Missing): string | undefined {
  return draft === undefined ? guess : undefined;
}

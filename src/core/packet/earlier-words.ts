/**
 * In an emergency there is often no time to say anything. What the same leg said in its packet before is then the best there is:
 * it is said again where nothing newer was said, and the packet names which words are older than it.
 */
import type { Digest } from '../journal/digest.ts';
import { limits } from '../base/limits.ts';
import type { Claims, Packet, PacketWords } from './packet.ts';

/** How a packet names words of its leg that are older than it. */
export const earlierWordsLoss = 'newer words';

const fields: readonly (readonly [field: keyof Claims, words: string])[] = [
  ['summary', 'the summary'],
  ['done', 'what is done'],
  ['doing', 'what is being done'],
  ['remaining', 'what remains'],
  ['decisions', 'decisions'],
  ['failed', 'what failed'],
  ['blockers', 'blockers'],
  ['questions', 'questions'],
  ['next', 'the next action'],
  ['command', 'the next command'],
];

export function withEarlierWords(
  words: PacketWords,
  earlier: Pick<Packet, 'claims' | 'artefacts'>,
  digest: Digest,
): PacketWords {
  const { claims = {} } = words;
  const older = fields.filter(
    // A command belongs to the action it was for.
    ([field]) =>
      !isSaid(claims[field]) &&
      isSaid(earlier.claims[field]) &&
      !(field === 'command' && isSaid(claims.next)),
  );
  const artefacts = isSaid(words.artefacts) ? [] : earlier.artefacts;
  const named = [...older.map(([, name]) => name), ...(artefacts.length > 0 ? ['artefacts'] : [])];
  if (named.length === 0) return words;
  const again = Object.fromEntries(older.map(([field]) => [field, earlier.claims[field]]));
  const loss = {
    what: earlierWordsLoss,
    why: `Nothing newer was said of ${listed(named)}: it stands as in the packet before, ${digest}.`,
  };
  return {
    ...words,
    claims: { ...claims, ...again },
    ...(artefacts.length > 0 ? { artefacts } : {}),
    losses: [...(words.losses ?? []).slice(0, limits.listItemsMax - 1), loss],
  };
}

function isSaid(said: string | readonly unknown[] | undefined): boolean {
  return said !== undefined && said.length > 0;
}

function listed(names: readonly string[]): string {
  return names.length === 1 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names.at(-1) ?? ''}`;
}

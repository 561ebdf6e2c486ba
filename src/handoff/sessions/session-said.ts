/** How long a session is and what was said in it last. That needs all of it to be read, so that there is a limit to the bytes. */
import { isStaffettaError } from '../../core/base/error.ts';
import type { Redactor } from '../../core/redact/redactor.ts';
import { allUnknown } from '../../core/transcript/all-unknown.ts';
import { toldOf, type Told } from '../../core/transcript/told.ts';
import type { Runtime, SessionCard } from '../../ports/runtime.ts';

export interface ToldSession extends SessionCard {
  /** How often it was spoken to; null where it was not read. */
  readonly turns: number | null;
  /** Of the person or of the model, shortened. */
  readonly lastMessage: string | null;
}

/** More would keep somebody waiting for a list. */
const readBytesMax = 128 * 1024 * 1024;

/** What is shown of a session without reading it. */
type Shown = Pick<SessionCard, 'title' | 'lastPrompt'> & Partial<Pick<ToldSession, 'lastMessage'>>;

function whole(text: string | null): string | null {
  return text?.replace(/\S+…$/, '…') ?? null;
}

/** Without the secrets in what is shown of them. Of a word that was cut nothing is left: it may be half of one. */
export async function cardsWithoutSecrets<T extends Shown>(
  redactor: Redactor,
  cards: readonly T[],
): Promise<T[]> {
  const words = cards.map(({ title, lastPrompt, lastMessage }) => ({
    title: whole(title),
    lastPrompt: whole(lastPrompt),
    ...(lastMessage === undefined ? {} : { lastMessage: whole(lastMessage) }),
  }));
  const { value } = await redactor.json(words);
  return cards.map((card, i) => ({ ...card, ...value[i] }));
}

/** In their order; those that no longer fit are told without. */
export async function tellSessions(
  runtimes: readonly Runtime[],
  cards: readonly SessionCard[],
): Promise<ToldSession[]> {
  const told: ToldSession[] = [];
  let left = readBytesMax;
  for (const card of cards) {
    const bytes = card.bytes ?? 0;
    const runtime = runtimes.find(({ name }) => name === card.runtime);
    const isRead = runtime !== undefined && card.pointerOnly === null && bytes <= left;
    if (isRead) left -= bytes;
    const said = isRead ? await saidIn(runtime, card) : null;
    const turns = said?.turns ?? null;
    const lastMessage = said?.lastMessage ?? null;
    const isMute = runtime !== undefined && turns === 0 && lastMessage === null;
    const pointerOnly = isMute ? await whyMute(runtime, card) : card.pointerOnly;
    told.push({ ...card, turns: pointerOnly === null ? turns : null, lastMessage, pointerOnly });
  }
  return told;
}

/** Nobody says anything in it: either nobody did, or it is in a form that is not known. */
async function whyMute(runtime: Runtime, card: SessionCard): Promise<string | null> {
  try {
    const records = await recordsOf(runtime, card);
    return allUnknown(runtime.read(records), records.length);
  } catch (error) {
    if (!isGone(error)) throw error;
    return null;
  }
}

async function recordsOf(runtime: Runtime, card: SessionCard): Promise<Uint8Array[]> {
  const records: Uint8Array[] = [];
  for await (const record of (await runtime.capture(card)).records) records.push(record);
  return records;
}

/** Gone since it was listed, or not to be read: the card says what is known. */
function isGone(error: unknown): boolean {
  return isStaffettaError(error) || (error instanceof Error && 'code' in error);
}

async function saidIn(runtime: Runtime, card: SessionCard): Promise<Told | null> {
  try {
    if (runtime.tell !== undefined) return await runtime.tell(card);
    return toldOf(runtime.read(await recordsOf(runtime, card)).steps);
  } catch (error) {
    if (!isGone(error)) throw error;
    return null;
  }
}

/** The briefing of a session of a coding agent, straight from its file: nothing is opened, taken or stored. */
import { briefing, type Briefing } from '../../core/briefing/briefing.ts';
import { draftContract } from '../../core/reasoning/draft.ts';
import type { Redactor } from '../../core/redact/redactor.ts';
import { notTold } from '../../core/transcript/not-told.ts';
import { storyOf, type Story } from '../../core/transcript/story.ts';
import type { Counter } from '../../core/tokens/count.ts';
import type { AskedAgent, AskedSession, AskOutcome } from './ask-agent.ts';
import type { FoundSession } from './find-session.ts';
import { readersOf } from '../history/story.ts';

/** What a packet of it would hold, with the secrets taken out that a packet would hold without. */
export async function sessionStory(redactor: Redactor, { runtime, card }: FoundSession): Promise<Story> {
  const captured = await runtime.capture(card);
  const records: Uint8Array[] = [];
  for await (const record of linesIn(redactor.stream(withEnds(captured.records)))) records.push(record);
  const { omissions } = captured.end();
  const part = { runtime: runtime.name, session: card.id, before: 0, fromStart: true, records, omissions };
  return storyOf([part], readersOf([runtime]));
}

export interface SessionBriefing extends Briefing {
  readonly runtime: string;
  readonly session: string;
  /** What of it could not be read. */
  readonly missing: readonly string[];
  /** What came of asking the agent for a summary of its own, where it was. */
  readonly asked?: AskOutcome;
}

export async function briefSession(
  redactor: Redactor,
  found: FoundSession,
  {
    ask,
    ...sizes
  }: {
    readonly count: Counter;
    readonly budget?: number;
    readonly goal?: string;
    readonly target?: string;
    /** Asks the agent of the session for a summary of its own. */
    readonly ask?: ((session: AskedSession) => Promise<AskedAgent>) | undefined;
  },
): Promise<SessionBriefing> {
  const story = await sessionStory(redactor, found);
  const { contract } = draftContract(story);
  const { runtime, id } = found.card;
  const folder = story.sessions.at(-1)?.facts.folder ?? found.card.folder;
  const asked = await ask?.({ ...found, story, folder });
  const { summary } = asked ?? {};
  const made = briefing({
    of: { session: `${runtime}:${id}` },
    contract: { v: 1, ...contract },
    packet: null,
    story,
    ...(summary === undefined ? {} : { summary: (await redactor.text(summary)).value }),
    ...sizes,
  });
  const missing = notTold(story);
  return { runtime, session: id, missing, ...made, ...(asked === undefined ? {} : { asked: asked.outcome }) };
}

const lineEnd = Buffer.from('\n');

async function* withEnds(records: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  for await (const record of records) yield Buffer.concat([record, lineEnd]);
}

async function* linesIn(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let rest = Buffer.alloc(0);
  for await (const piece of pieces) {
    const text = rest.length === 0 ? Buffer.from(piece) : Buffer.concat([rest, piece]);
    let from = 0;
    for (let end = text.indexOf(10); end !== -1; end = text.indexOf(10, from)) {
      yield text.subarray(from, end);
      from = end + 1;
    }
    rest = text.subarray(from);
  }
  if (rest.length > 0) yield rest;
}

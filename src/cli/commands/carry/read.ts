import { filled } from '../../../core/base/defined.ts';
import type { TaskId } from '../../../core/journal/id.ts';
import type { Context } from '../../../handoff/record/context.ts';
import { load, soundEntries } from '../../../handoff/record/load.ts';
import {
  markRead,
  messagesFor,
  waitingMessagesIn,
  type WaitingMessage,
} from '../../../handoff/verbs/outside.ts';
import type { Entry } from '../../../core/journal/entry.ts';
import { formatAgo } from '../../frame/duration.ts';
import { exits } from '../../frame/fail.ts';
import { block, line } from '../../frame/output.ts';
import type { Session } from '../../call/session.ts';
import type { Invocation } from '../../frame/spec.ts';
import { answering } from '../../pages/words.ts';

/** The messages that wait, shown and marked as read. */
export async function run({ positionals }: Invocation, session: Session): Promise<number> {
  const context = await session.context();
  const { task, generation, earlier } = await session.held(positionals[0]);
  const held = { task, generation };
  const messages =
    earlier === undefined
      ? await messagesFor(context, held, session.call())
      : await readBefore(context, task, earlier);
  session.output.data(
    {
      task,
      messages,
      ...(earlier === undefined ? {} : { repeated: true }),
      ...filled({ dryRun: session.dryRun }),
    },
    () => messages.map((message) => words(message, context.clock.now())).join('\n\n'),
  );
  // Shown first: a holder that is stopped in between finds them again.
  const last = messages.at(-1);
  if (last !== undefined) await markRead(context, held, last.seq, session.call());
  if (messages.length === 0) session.output.say(`No messages wait with ${task}.`);
  return exits.ok;
}

function words(message: WaitingMessage, now: number): string {
  return `${line(message.from)}, ${formatAgo(message.at, now)}${answering(message)}:\n${block(message.text)}`;
}

/** What an entry marked as read: a repeated request gets its messages again, or a crash would have swallowed them. */
async function readBefore(context: Context, task: TaskId, marked: Entry): Promise<WaitingMessage[]> {
  let waiting: WaitingMessage[] = [];
  const { state } = await load(context, task);
  for await (const entry of soundEntries(context, state, marked.seq)) {
    for (const message of await waitingMessagesIn(context, entry)) {
      // What the holder answered itself was never news to it.
      const own = message.answers !== undefined && message.from === marked.by.name;
      if (!own) waiting.push(message);
    }
    for (const event of entry.events) {
      if (event.type === 'messages-read' && entry.seq < marked.seq)
        waiting = waiting.filter(({ seq }) => seq > event.through);
    }
  }
  const marks = marked.events.find((event) => event.type === 'messages-read');
  return waiting.filter((message) => message.seq <= (marks?.through ?? marked.seq));
}

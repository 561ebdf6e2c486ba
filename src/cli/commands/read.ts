import type { TaskId } from '../../core/id.ts';
import type { Context } from '../../handoff/context.ts';
import { entriesOf } from '../../handoff/load.ts';
import { readMessages, type WaitingMessage } from '../../handoff/outside.ts';
import { parseEntry, type Entry } from '../../core/entry.ts';
import { formatAgo } from '../duration.ts';
import { exits } from '../fail.ts';
import { block, line } from '../output.ts';
import type { Session } from '../session.ts';
import type { Invocation } from '../spec.ts';

/** The messages that wait, shown and marked as read. */
export async function run({ positionals }: Invocation, session: Session): Promise<number> {
  const context = await session.context();
  const { task, generation, earlier } = await session.held(positionals[0]);
  const now = await readMessages(context, { task, generation }, session.call());
  const messages = earlier === undefined ? now : await readBefore(context, task, earlier);
  session.output.data(
    {
      task,
      messages,
      ...(earlier === undefined ? {} : { repeated: true }),
      ...(session.dryRun ? { dryRun: true } : {}),
    },
    () => messages.map((message) => words(message, context.clock.now())).join('\n\n'),
  );
  if (messages.length === 0) session.output.say(`No messages wait with ${task}.`);
  return exits.ok;
}

function words(message: WaitingMessage, now: number): string {
  return `${line(message.from)}, ${formatAgo(message.at, now)}:\n${block(message.text)}`;
}

/** What an entry marked as read: a repeated request gets its messages again, or a crash would have swallowed them. */
async function readBefore(context: Context, task: TaskId, marked: Entry): Promise<WaitingMessage[]> {
  let waiting: (WaitingMessage & { readonly seq: number })[] = [];
  for await (const stored of entriesOf(context, task, { to: marked.seq })) {
    const entry = parseEntry(stored.body);
    for (const event of entry.events) {
      if (event.type === 'message')
        waiting.push({ from: entry.by.name, at: entry.at, text: event.text, seq: entry.seq });
      if (event.type === 'messages-read' && entry.seq < marked.seq)
        waiting = waiting.filter((message) => message.seq > event.through);
    }
  }
  return waiting.map(({ from, at, text }) => ({ from, at, text }));
}

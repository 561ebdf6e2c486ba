import { inboxOf, type InboxItem } from '../../../handoff/views/inbox.ts';
import type { Session } from '../../call/session.ts';
import { exits } from '../../frame/fail.ts';
import { line, type Output } from '../../frame/output.ts';
import type { Invocation } from '../../frame/spec.ts';
import { wrap } from '../../frame/width.ts';
import { next } from '../../pages/words.ts';

export async function run(_: Invocation, session: Session): Promise<number> {
  const items = session.storeExists ? await inboxOf(await session.context()) : [];
  session.output.data({ inbox: items }, () => inboxPart(items, session.output));
  if (items.length === 0) {
    session.output.say('Nothing needs you.');
    next(session.output, 'staffetta');
  }
  return exits.ok;
}

/** Two lines each: what it is about, and the command that answers it. */
export function inboxPart(
  items: readonly InboxItem[],
  { width, paint }: Output,
  most = items.length,
): string {
  const shown = items.slice(0, most).map(({ kind, task, title, text, command }) => {
    const words = wrap(`${kind}: ${line(text)} (${task}, ${line(title)})`, Math.max(20, width));
    return `${words}\n  ${paint.dim('→')} ${line(command)}`;
  });
  const more = items.length > most ? [`and ${items.length - most} more: staffetta inbox`] : [];
  return [...shown, ...more].join('\n');
}

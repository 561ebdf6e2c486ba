import type { TaskId } from '../../core/journal/id.ts';
import type { Delivery, Hint, Mailbox } from '../../ports/mailbox.ts';
import type { World } from './world.ts';

function hintKey(hint: Pick<Hint, 'to' | 'task' | 'offer'>): string {
  return `${hint.to} ${hint.task} ${hint.offer}`;
}

export function putHint(world: World, hint: Hint): void {
  const key = hintKey(hint);
  if (world.hints.has(key)) return;
  world.receipts += 1;
  world.hints.set(key, { ...hint, order: world.receipts, deliveries: 0, receipt: '' });
}

export function dropHints(world: World, task: TaskId): void {
  for (const [key, hint] of world.hints) if (hint.task === task) world.hints.delete(key);
}

export function memoryMailbox(world: World): Mailbox {
  return {
    async send(hint) {
      putHint(world, hint);
    },
    async receive(addresses, { now, hideMs, limit }) {
      const due = [...world.hints.values()]
        .filter((hint) => addresses.includes(hint.to) && hint.due <= now)
        .toSorted((a, b) => a.order - b.order)
        .slice(0, limit);
      return due.map((hint): Delivery => {
        world.receipts += 1;
        hint.due = now + hideMs;
        hint.deliveries += 1;
        hint.receipt = `${world.receipts}`;
        const { to, task, offer, due: until, receipt, deliveries } = hint;
        return { to, task, offer, due: until, receipt, deliveries };
      });
    },
    async settle(delivery) {
      const key = hintKey(delivery);
      if (world.hints.get(key)?.receipt === delivery.receipt) world.hints.delete(key);
    },
  };
}

import type { Address } from '../../core/task/address.ts';
import type { TaskId } from '../../core/journal/id.ts';
import type { Delivery, Mailbox } from '../../ports/mailbox.ts';
import type { PostgresBell } from './bell.ts';
import type { Connection, Row } from './connection.ts';

export function postgresMailbox(connection: Connection, s: string, bell: PostgresBell): Mailbox {
  return {
    async send({ to, task, offer, due }) {
      await connection.ask(
        `INSERT INTO ${s}.hint(task, address, offer, due, deliveries) VALUES ($1, $2, $3, $4, 0) ON CONFLICT DO NOTHING`,
        [task, to, offer, due],
      );
      bell.ring(to);
    },
    async receive(addresses, { now, hideMs, limit }) {
      // Of several that ask at once each gets other hints, and none waits for another.
      const rows = await connection.ask(
        `UPDATE ${s}.hint h SET due = $3, deliveries = h.deliveries + 1, receipt = gen_random_uuid()::text
         FROM (SELECT task, address, offer FROM ${s}.hint WHERE address = ANY ($1) AND due <= $2
               ORDER BY sent LIMIT $4 FOR NO KEY UPDATE SKIP LOCKED) AS d
         WHERE h.task = d.task AND h.address = d.address AND h.offer = d.offer
         RETURNING h.sent, h.address, h.task, h.offer, h.due, h.receipt, h.deliveries`,
        [addresses, now, now + hideMs, limit],
      );
      return rows.toSorted((a, b) => Number(a[0]) - Number(b[0])).map(deliveryFrom);
    },
    async settle({ task, to, offer, receipt }) {
      await connection.ask(
        `DELETE FROM ${s}.hint WHERE task = $1 AND address = $2 AND offer = $3 AND receipt = $4`,
        [task, to, offer, receipt],
      );
    },
  };
}

function deliveryFrom([, to, task, offer, due, receipt, deliveries]: Row): Delivery {
  return {
    to: to as Address,
    task: task as TaskId,
    offer: Number(offer),
    due: Number(due),
    receipt: String(receipt),
    deliveries: Number(deliveries),
  };
}

import type { Address } from '../../core/task/address.ts';
import type { TaskId } from '../../core/journal/id.ts';
import type { Delivery, Mailbox } from '../../ports/mailbox.ts';
import type { PostgresBell } from './bell.ts';
import { unsynced, type Connection, type Row } from './connection.ts';

export function postgresMailbox(connection: Connection, s: string, bell: PostgresBell): Mailbox {
  return {
    async send({ to, task, offer, due }) {
      await connection.ask(`SELECT ${s}.send_1($1, $2, $3, $4)`, [task, to, offer, due]);
      bell.ring(to);
    },
    async receive(addresses, { now, hideMs, limit }) {
      // Of several that ask at once each gets other hints, and none waits for another.
      const rows = await connection.ask(`SELECT r.*, ${unsynced} FROM ${s}.receive_1($1, $2, $3, $4) AS r`, [
        addresses,
        now,
        now + hideMs,
        limit,
      ]);
      return rows.toSorted((a, b) => Number(a[0]) - Number(b[0])).map(deliveryFrom);
    },
    async settle({ task, to, offer, receipt }) {
      await connection.ask(`SELECT ${s}.settle_1($1, $2, $3, $4)`, [task, to, offer, receipt]);
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

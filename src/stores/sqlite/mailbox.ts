import type { Address } from '../../core/address.ts';
import type { TaskId } from '../../core/id.ts';
import type { Delivery, Mailbox } from '../../ports/mailbox.ts';
import type { Connection } from './connection.ts';

interface HintRow {
  readonly n: number;
  readonly address: Address;
  readonly task: TaskId;
  readonly offer: number;
  readonly due: number;
  readonly deliveries: number;
}

export function sqliteMailbox(connection: Connection): Mailbox {
  return {
    async send(hint) {
      await connection.write(() =>
        connection
          .sql(
            'INSERT INTO hint(address, task, offer, due, deliveries) VALUES (?, ?, ?, ?, 0) ON CONFLICT DO NOTHING',
          )
          .run(hint.to, hint.task, hint.offer, hint.due),
      );
    },
    async receive(addresses, { now, hideMs, limit }) {
      const marks = addresses.map(() => '?').join(',');
      const due = `SELECT n FROM hint WHERE address IN (${marks}) AND due <= ? ORDER BY n LIMIT ?`;
      // An idle agent asks often; asking must not cost a write.
      const any = await connection.read(() => connection.sql(due).get(...addresses, now, 1));
      if (any === undefined) return [];
      const rows = await connection.write(
        () =>
          connection
            .sql(
              `UPDATE hint SET due = ?, deliveries = deliveries + 1 WHERE n IN (${due})
               RETURNING n, address, task, offer, due, deliveries`,
            )
            .all(now + hideMs, ...addresses, now, limit) as unknown as HintRow[],
      );
      return rows.toSorted((a, b) => a.n - b.n).map(deliveryFrom);
    },
    async settle(delivery) {
      const [n, deliveries] = delivery.receipt.split(':').map(Number);
      await connection.write(() =>
        connection.sql('DELETE FROM hint WHERE n = ? AND deliveries = ?').run(n ?? 0, deliveries ?? 0),
      );
    },
  };
}

function deliveryFrom({ n, address, task, offer, due, deliveries }: HintRow): Delivery {
  return { to: address, task, offer, due, deliveries, receipt: `${n}:${deliveries}` };
}

import type { Address } from '../core/task/address.ts';
import type { TaskId } from '../core/journal/id.ts';

/**
 * Wake-up calls. A hint says "look at this task"; the journal says whether there is anything to do.
 * MB1 A hint sent is received at least once by somebody who asks for its address, as long as somebody asks and its task is not removed.
 * MB2 A received hint is hidden from everybody until `hideMs` after `now`; then it comes again, unless it was settled.
 * MB3 `settle` removes the hint for good. Settling twice is harmless, and so is a receipt from before it was received or sent again: that changes nothing.
 * MB4 `receive` returns only hints for the given addresses that are due, in the order they were sent, at most `limit`.
 * MB5 A hint with the same address, task and offer as one that waits, hidden or not, is not stored twice; the first one's `due` stands.
 * MB6 When `send` returns, the hint is durable.
 * MB7 `deliveries` counts how often the hint was received, this time included.
 */
export interface Mailbox {
  send(hint: Hint): Promise<void>;
  receive(addresses: readonly Address[], options: ReceiveOptions): Promise<readonly Delivery[]>;
  settle(delivery: Delivery): Promise<void>;
}

export interface Hint {
  readonly to: Address;
  readonly task: TaskId;
  readonly offer: number;
  /** Not to be received before then. */
  readonly due: number;
}

export interface ReceiveOptions {
  readonly now: number;
  readonly hideMs: number;
  readonly limit: number;
}

export interface Delivery extends Hint {
  readonly receipt: string;
  readonly deliveries: number;
}

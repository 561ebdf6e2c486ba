/** LangGraph's own suite for checkpointers. It speaks of globals, as its authors run it. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { StaffettaSaver } from '../../src/adapters/langgraph/saver.ts';
import { openStaffetta, type Staffetta } from '../../src/library/staffetta.ts';

Object.assign(globalThis, { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it });
const { deltaChannelHistoryTests, validate } = await import('@langchain/langgraph-checkpoint-validation');

const relays = new Map<StaffettaSaver, Staffetta>();
const initializer = {
  checkpointerName: 'staffetta/langgraph',
  createCheckpointer: async () => {
    const relay = await openStaffetta({ store: 'memory:' });
    const saver = new StaffettaSaver(relay);
    relays.set(saver, relay);
    return saver;
  },
  destroyCheckpointer: async (saver: StaffettaSaver) => await relays.get(saver)?.close(),
};

validate(initializer);
deltaChannelHistoryTests(initializer);

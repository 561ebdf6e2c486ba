/** A server that can be asked what its heap holds after a collection. Started by `soak-server.ts` with --expose-gc. */
import { openStaffetta } from '../../src/library/staffetta.ts';
import { listen } from '../../src/server/listen.ts';
import { MemoryKeeper, Tokens } from '../../src/server/access/tokens.ts';
import { verbs } from '../../src/server/contract/verbs.ts';

const [store = '', tasks = '0'] = process.argv.slice(2);
const ada = { name: 'ada', kind: 'human' } as const;
const staffetta = await openStaffetta({ store, as: ada });
const names: string[] = [];
for (let n = 0; n < Number(tasks); n += 1) names.push((await staffetta.open({ goal: `Task ${n}.` })).task);
const tokens = new Tokens(new MemoryKeeper(), staffetta.context);
const { token } = await tokens.create({
  use: 'bearer',
  actor: ada,
  task: null,
  generation: null,
  verbs: [...verbs],
  createdAt: Date.now(),
  createdBy: 'ada',
  expiresAt: Number.MAX_SAFE_INTEGER,
});
// Often enough that each change is a piece of its own for each listener.
const limits = { pollMs: 10 };
const listening = await listen({ context: staffetta.context, tokens, version: '0.0.0', port: 0, limits });
process.on('message', (asked: 'heap' | 'end') => {
  if (asked === 'heap') {
    globalThis.gc?.();
    process.send?.({ heap: process.memoryUsage().heapUsed });
    return;
  }
  void listening
    .close()
    .then(async () => await staffetta.close())
    .then(() => process.disconnect());
});
process.send?.({ url: listening.url, token, tasks: names });

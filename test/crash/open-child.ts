/**
 * Opens a store, which brings an older one up to date.
 *
 *   node open-child.ts <store>           says when it begins and when the store is open
 *   node open-child.ts <store> <step>    says when it comes to the step, and stops there, with all that it holds, until it is killed
 */
import { openSqliteStore } from '../../src/stores/sqlite/open.ts';
import { sayNow } from './stage.ts';

const [path = '', stopAt = ''] = process.argv.slice(2);
sayNow('begun');
const store = await openSqliteStore(path, {
  reached: (step) => {
    if (step !== stopAt) return;
    sayNow(step);
    process.kill(process.pid, 'SIGSTOP');
  },
});
await store.close();
sayNow('open');

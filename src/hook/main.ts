/**
 * The entry for hooks of coding agents: `node dist/hook/main.cjs RUNTIME EVENT`, with the event as JSON on standard input.
 *
 * A host must not notice it: it ends with 0 whatever happens, within its budget, and says nothing but one JSON document that the host asked
 * for. What goes wrong is told in `hook.log` in the home of the store. Whatever could take long is done by a process of its own (`work.ts`),
 * which the host does not wait for; what is done here is small, and a timer ends it.
 *
 * Most events have nothing to do. So this file is small, and everything else is loaded when it is needed.
 */
import { enableCompileCache } from 'node:module';
import { runHook } from './run.ts';

const [first = '', second = ''] = process.argv.slice(2);

async function start(): Promise<void> {
  enableCompileCache();
  if (first !== '--work') {
    const isOver = await runHook({ runtime: first, name: second, entry: __filename });
    // Taking everything apart would keep the host waiting for some milliseconds more.
    if (isOver) process.exit(0);
    return;
  }
  const { work } = await import('./work.ts');
  await work(second);
}
void start();

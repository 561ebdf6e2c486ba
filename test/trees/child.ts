/** One call in a process of its own, which kills itself at a step, or does not. Says what came of it as a line of JSON. */
import type { IntegrateOrder, TreeOrder } from '../../src/ports/index.ts';
import { openIntegrate } from '../../src/workspace/integrate/open.ts';
import { openTrees } from '../../src/workspace/trees/open.ts';

export interface ChildCall {
  readonly root: string;
  readonly home: string;
  readonly make?: TreeOrder;
  readonly remove?: { readonly run: string; readonly task: string; readonly into: string };
  readonly integrate?: readonly IntegrateOrder[];
  readonly killedAt?: string;
}

const call = JSON.parse(process.argv[2] ?? '') as ChildCall;
const reached = (step: string): void => {
  if (step === call.killedAt) process.kill(process.pid, 'SIGKILL');
};
const options = {
  home: call.home,
  env: process.env,
  living: () => [],
  holdsSecret: async () => false,
  reached,
};
const said: unknown[] = [];
const trees = await openTrees(call.root, options);
if (call.make !== undefined) said.push(await trees.make(call.make));
if (call.remove !== undefined) said.push(await trees.remove(call.remove, call.remove.into));
const queue = await openIntegrate(call.root, options);
for (const order of call.integrate ?? []) said.push(await queue.integrate(order));
console.log(JSON.stringify(said));

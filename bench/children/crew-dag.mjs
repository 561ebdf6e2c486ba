// One graph of tasks by one of several programs. Each task writes its name to a file, so that what ran twice is seen there; started again on the
// same database it goes on. Run by crew-peers.ts:
// node crew-dag.mjs staffetta|openworkflow|langgraph FOLDER-WITH-NODE-MODULES DATABASE TASKS RAN
import { appendFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const [kind = '', folder = '', database = '', count = '', ran = ''] = process.argv.slice(2);
const require = createRequire(join(folder, 'package.json'));
const load = async (name) => await import(pathToFileURL(require.resolve(name)).href);
const tasks = Array.from({ length: Number(count) }, (_, n) => n);
/** Each waits for one of those before it, ten for the same. */
const needOf = (n) => n - 1 - (n % 10);
const nameOf = (n) => `t${String(n).padStart(5, '0')}`;
const work = (name) => appendFileSync(ran, `${name}\n`);

const carry = await { staffetta, openworkflow, langgraph }[kind]();
const before = process.cpuUsage();
await carry();
const { user, system } = process.cpuUsage(before);
process.stdout.write(JSON.stringify({ ms: (user + system) / 1000 }));
process.exit(0);

async function staffetta() {
  const { openStaffetta } = await import('staffetta');
  return async () => {
    const relay = await openStaffetta({ gate: 'record', store: database });
    const crew = relay.crew({ parallel: 8 }, { name: 'eve', kind: 'human' });
    crew.agent('code', { lane: 'execute', count: 8 }, async ({ contract }) => work(contract.title));
    const planned = tasks.map((n) => [
      nameOf(n),
      { goal: nameOf(n), ...(needOf(n) < 0 ? {} : { needs: [nameOf(needOf(n))] }) },
    ]);
    const run = await crew.run({
      name: 'dag',
      defaults: { acceptance: ['It is written.'] },
      tasks: Object.fromEntries(planned),
    });
    const { how } = await run.done;
    if (how !== 'done') throw new Error(`the run is ${how}`);
    await relay.close();
  };
}

/** In two workflows, one after the other: one has room for 1,000 attempts, and those that were killed count. */
async function openworkflow() {
  const { OpenWorkflow } = await load('openworkflow');
  const { BackendSqlite } = await load('openworkflow/sqlite');
  return async () => {
    const client = new OpenWorkflow({ backend: BackendSqlite.connect(database) });
    const dag = client.defineWorkflow({ name: 'dag' }, async ({ input: [from, to], step }) => {
      const ended = [];
      for (let n = from; n < to; n += 1) {
        const need = needOf(n) < from ? Promise.resolve() : ended[needOf(n) - from];
        ended.push(need.then(async () => await step.run({ name: nameOf(n) }, () => work(nameOf(n)))));
      }
      await Promise.all(ended);
    });
    const worker = client.newWorker();
    await worker.start();
    const half = tasks.length / 2;
    for (const from of [0, half]) {
      const handle = await dag.run([from, from + half], { idempotencyKey: `from ${from}` });
      await handle.result();
    }
  };
}

async function langgraph() {
  const { StateGraph, Annotation, START, END } = await load('@langchain/langgraph');
  const { SqliteSaver } = await load('@langchain/langgraph-checkpoint-sqlite');
  return async () => {
    const done = Annotation({ reducer: (sum, more) => sum + more, default: () => 0 });
    const graph = new StateGraph(Annotation.Root({ done }));
    for (const n of tasks)
      graph.addNode(nameOf(n), () => {
        work(nameOf(n));
        return { done: 1 };
      });
    for (const n of tasks) graph.addEdge(needOf(n) < 0 ? START : nameOf(needOf(n)), nameOf(n));
    for (const n of tasks) if (n % 10 !== 9 || n === tasks.length - 1) graph.addEdge(nameOf(n), END);
    const saver = SqliteSaver.fromConnString(database);
    saver.db.pragma('synchronous = FULL');
    const app = graph.compile({ checkpointer: saver });
    const config = { configurable: { thread_id: 'dag' }, recursionLimit: tasks.length, durability: 'sync' };
    const known = await saver.getTuple(config);
    await app.invoke(known === undefined ? { done: 0 } : null, config);
  };
}

// The same chain in LangGraph.js: two nodes hand a growing list of messages to each other, and the SQLite checkpointer stores the
// state after every hop; or our saver does, with a leg for each hop. Run by langgraph.ts:
// node langgraph-chain.mjs FOLDER-WITH-NODE-MODULES DATABASE HOPS BYTES FULL|NORMAL|staffetta
import { randomBytes } from 'node:crypto';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const [folder = '', database = '', hops = '500', bytes = '2048', how = 'NORMAL'] = process.argv.slice(2);
const require = createRequire(join(folder, 'package.json'));
const load = async (name) => await import(pathToFileURL(require.resolve(name)).href);
const { StateGraph, MessagesAnnotation, START, END } = await load('@langchain/langgraph');
const { AIMessage } = await load('@langchain/core/messages');

let hop = 0;
const carry = () => {
  hop += 1;
  return { messages: [new AIMessage(randomBytes((Number(bytes) * 3) / 4).toString('base64'))] };
};
const next = (to) => () => (hop < Number(hops) ? to : END);
const { saver, close } = how === 'staffetta' ? await ours() : await theirs();
const graph = new StateGraph(MessagesAnnotation)
  .addNode('ada', carry)
  .addNode('ben', carry)
  .addEdge(START, 'ada')
  .addConditionalEdges('ada', next('ben'), ['ben', END])
  .addConditionalEdges('ben', next('ada'), ['ada', END])
  .compile({ checkpointer: saver });

const started = performance.now();
const { messages } = await graph.invoke(
  { messages: [] },
  { configurable: { thread_id: 'chain' }, recursionLimit: Number(hops) + 10, durability: 'sync' },
);
const ms = performance.now() - started;
if (messages.length !== Number(hops)) throw new Error(`${messages.length} hops instead of ${hops}`);
// oxlint-disable-next-line typescript/await-thenable -- one of the two is
await close();
process.stdout.write(JSON.stringify({ ms }));

async function theirs() {
  const { SqliteSaver } = await load('@langchain/langgraph-checkpoint-sqlite');
  const saver = SqliteSaver.fromConnString(database);
  saver.db.pragma(`synchronous = ${how}`);
  const close = () => {
    saver.db.pragma('wal_checkpoint(TRUNCATE)');
    saver.db.close();
  };
  return { saver, close };
}

async function ours() {
  const { openStaffetta } = await import('staffetta');
  const { StaffettaSaver } = await import('staffetta/langgraph');
  const relay = await openStaffetta({ store: database });
  const saver = new StaffettaSaver(relay, { agents: ['ada', 'ben'] });
  return { saver, close: async () => await relay.close() };
}

// A chain in a process of its own, as its counterpart in langgraph-chain.mjs is: node our-chain.ts DATABASE HOPS CHARACTERS
import { Chain } from '../material/chain.ts';
import { noiseText } from '../material/content.ts';
import { timed } from '../statistics.ts';

const [database = '', hops = '500', chars = '2048'] = process.argv.slice(2);
const chain = await Chain.begin(database, 'context-limit');
const ms = await timed(async () => {
  while (chain.hops < Number(hops)) await chain.hop(noiseText(Number(chars)));
});
const bytes = chain.diskBytes();
await chain.close();
process.stdout.write(JSON.stringify({ ms, bytes }));

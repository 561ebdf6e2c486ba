/**
 * One agent of the relay, in a process of its own, as it could run on any machine that may use the bucket:
 *
 *   node agent.ts ROLE FOLDER
 *
 * STAFFETTA_STORE says where the work is. What it is told of the work before it comes from the task alone; the folder is only for the audience, who compares what
 * each agent wrote with what the last one reads.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openStaffetta, type Leg } from 'staffetta';

const [role = '', folder = ''] = process.argv.slice(2);
const lanes = { research: 'plan', code: 'execute', qa: 'audit', deploy: 'execute' } as const;
const nextLane = { research: 'lane:execute', code: 'lane:audit', qa: 'lane:execute' } as const;
if (!(role === 'research' || role === 'code' || role === 'qa' || role === 'deploy'))
  throw new Error(`no role: ${role}`);
const me: keyof typeof lanes = role;

/** Stands for what a model thought on its way: several hundred kilobytes, other ones for each agent. */
function reasoning(): string {
  const words = [
    'accents',
    'fold',
    'before',
    'the',
    'slug',
    'is',
    'cut',
    'so',
    'that',
    'names',
    'stay',
    'readable',
    me,
  ];
  let seed = me.length * 2_654_435_761;
  const lines = Array.from({ length: 6000 }, (_, n) => {
    const line = Array.from({ length: 10 }, () => {
      seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
      return words[seed % words.length];
    });
    return `${me} ${n}: ${line.join(' ')}.`;
  });
  return `${lines.join('\n')}\n`;
}

async function carry(leg: Leg): Promise<void> {
  let bytes = 0;
  let author = '';
  for await (const item of leg.history()) {
    if (item.kind === 'entry') author = item.entry.by.name;
    if (item.kind !== 'transcript') continue;
    bytes += item.bytes.length;
    if (me === 'deploy') writeFileSync(join(folder, `read-${author}.txt`), item.bytes, { flag: 'a' });
  }
  process.stdout.write(`took the task, with ${bytes} bytes of reasoning of those before it\n`);
  await leg.acknowledge({ next: `do what ${me} does` });
  const transcript = reasoning();
  writeFileSync(join(folder, `wrote-${me}.txt`), transcript);
  const claims = { done: [`${me} is done`], next: 'go on from here' };
  if (me === 'deploy') await leg.complete({ claims: { done: claims.done }, transcript });
  else await leg.handoff({ to: nextLane[me], why: `${me} is done`, claims, transcript });
}

const relay = await openStaffetta({ as: { name: me, lane: lanes[me] }, gate: 'record' });
const over = new AbortController();
const worker = relay.worker({ name: me, lane: lanes[me] }, async (leg) => {
  await carry(leg);
  over.abort();
});
await worker.run(over.signal);
await relay.store.close();

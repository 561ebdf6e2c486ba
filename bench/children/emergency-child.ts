/** Seals sessions one after the other, each read and hashed before, and prints how long both took. */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import { openStaffetta } from '../../src/library/staffetta.ts';
import { timed } from '../statistics.ts';

const [folder = '', ...sessions] = process.argv.slice(2);
const staffetta = await openStaffetta({
  store: join(folder, 'store.db'),
  workspace: join(folder, 'work'),
  as: 'bench',
});
const taken: { readonly ours: number; readonly bare: number }[] = [];
for (const file of sessions) {
  const leg = await staffetta.begin({ goal: 'Carry on.' }, { key: file });
  const bare = await timed(async () => {
    const hash = createHash('sha256');
    for await (const piece of createReadStream(file)) hash.update(piece as Buffer);
    hash.digest('hex');
  });
  const ours = await timed(
    async () => void (await leg.checkpoint({ transcript: createReadStream(file), trigger: 'context-limit' })),
  );
  taken.push({ ours, bare });
}
await staffetta.close();
process.stdout.write(JSON.stringify(taken));

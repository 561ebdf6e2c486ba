/** One of several processes that write to a store while somebody follows it. Says how many entries it wrote, and ends. */
import { openStaffetta } from '../../src/library/staffetta.ts';

const [store = '', name = '', times = '0'] = process.argv.slice(2);
const staffetta = await openStaffetta({ gate: 'record', store, as: name });
const { task } = await staffetta.open({ goal: `What ${name} does.` });
for (let i = 1; i < Number(times); i += 1) await staffetta.tell(task, `${name} ${i}`);
await staffetta.close();

/** Listens until something is sent to somebody, and closes: node listening-child.ts STORE */
import { openStaffetta } from '../../src/library/staffetta.ts';

const [store = ''] = process.argv.slice(2);
const relay = await openStaffetta({ gate: 'record', store, as: 'bob' });
const rung = new AbortController();
void relay.store.bell?.wait(['agent:bob'], new AbortController().signal).then(() => rung.abort());
while (!rung.signal.aborted) await relay.open({ goal: 'Ring.' }, { to: 'agent:bob' });
await relay.close();
process.stdout.write('closed\n');

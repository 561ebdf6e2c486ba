/** Runs the commands of a task's contract, and says when it is done: node mid-run-child.ts STORE WORKSPACE TASK */
import { openStaffetta } from '../../src/library/staffetta.ts';

const [store = '', workspace = '', task = ''] = process.argv.slice(2);
const staffetta = await openStaffetta({ store, workspace, as: 'ada' });
const leg = await staffetta.leg(task);
const [ran] = await leg.validate();
process.stdout.write(`${ran?.passed === true ? 'passed' : 'failed'}\n`);
await staffetta.close();

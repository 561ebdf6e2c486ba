/**
 * Plays one scenario and dies of SIGKILL at the n-th call to the disk. Runs with the shim loaded.
 *
 *   node mid-write-child.ts <scenario> <folder> count        prints the calls that there are, as one line of JSON
 *   node mid-write-child.ts <scenario> <folder> kill <n>     before the n-th call
 *   node mid-write-child.ts <scenario> <folder> torn <n>     with half of the n-th write done
 */
import { arm, resetCounts, trace } from '../faults/shim.ts';
import { scenarioNamed } from './scenarios.ts';
import { play, sayNow } from './stage.ts';

const [name = '', folder = '', how = '', nth = ''] = process.argv.slice(2);
resetCounts();
if (how !== 'count') arm(how === 'torn' ? 'write' : 'any', Number(nth), how);
await play(scenarioNamed(name), folder);
sayNow(JSON.stringify(trace()));

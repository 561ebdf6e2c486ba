/** Captures a folder as the user who runs it and prints what it got; for rights that the test's own user has in excess. */
import { digestOf } from '../../src/core/journal/digest.ts';
import { openWorkspace } from '../../src/workspace/open.ts';

const [folder = '.'] = process.argv.slice(2);
const workspace = await openWorkspace(folder);
const { facts, manifest } = await workspace.capture(async (bytes) => digestOf(bytes));
process.stdout.write(JSON.stringify({ facts, manifest }));

/** Reads hostile texts, and says before each what it is about to do: its parent ends it where it does not come back. */
import { writeSync } from 'node:fs';
import { sample } from '../support/sample.ts';
import { hostileInputs } from './inputs.ts';
import { readers } from './readers.ts';

const [length = '', first = '0'] = process.argv.slice(2);
const inputs = hostileInputs(Number(length));
const all = readers.flatMap((reader) => inputs.map((input, turn) => ({ reader, input, turn })));
const works = [
  ...all.filter(({ input }) => input.isFound),
  ...sample(
    'hostile texts',
    all.filter(({ input }) => input.isFound !== true),
    { oneIn: 60, kindOf: ({ reader }) => reader.name },
  ),
];
for (const [n, { reader, input, turn }] of works.entries()) {
  if (n < Number(first)) continue;
  writeSync(1, `${n}\t${reader.name}: ${input.name}\n`);
  try {
    await reader.read(input.text.slice(0, reader.charsMax), turn);
  } catch {
    // It was refused.
  }
}
writeSync(1, `${works.length}\tall of it\n`);

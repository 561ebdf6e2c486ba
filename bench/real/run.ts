/**
 * How good briefings of real sessions are: `node bench/real/run.ts FOLDER`. The folder holds captures, each a `full.jsonl` with
 * or without a `metadata.json` that has a summary; it stays where it is.
 *   --json FILE, --markdown FILE   keep the report
 *   --details FILE                 keep the briefings, and what is foreign or untold in each: words of the sessions
 *   --budgets 2000,4000            in tokens
 *   --limit-ms 20000               of one session; one that takes longer is ended and counted
 *   --processes 2
 *   --seed N                       decides what is drawn; printed
 *   --first N                      only so many captures, drawn by the seed
 *   --sample N --continues FILE --out DIR   write N pairs of briefings for judges instead, with the key in DIR-key.json
 */
import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { capturesIn, type Capture } from './captures.ts';
import { answersTo } from './children.ts';
import { markdown, reportOf, type Row } from './report.ts';
import { writeSample } from './sample.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    json: { type: 'string' },
    markdown: { type: 'string' },
    details: { type: 'string' },
    budgets: { type: 'string', default: '2000,4000' },
    'limit-ms': { type: 'string', default: '20000' },
    processes: { type: 'string', default: '2' },
    seed: { type: 'string', default: '1' },
    first: { type: 'string' },
    sample: { type: 'string' },
    continues: { type: 'string' },
    out: { type: 'string' },
  },
});
const [folder] = positionals;
if (folder === undefined) throw new Error('Name the folder that holds the sessions.');
const seed = Number(values.seed);
const budgets = values.budgets.split(',').map(Number);
const captures = capturesIn(resolve(folder));
process.stderr.write(`Seed ${seed}. ${captures.files} files, ${captures.sessions} sessions.\n`);

if (values.sample === undefined) await measure();
else await sample(Number(values.sample));

async function measure(): Promise<void> {
  const chosen =
    values.first === undefined ? captures.chosen : shuffled(captures.chosen).slice(0, Number(values.first));
  const limitMs = Number(values['limit-ms']);
  const answers = await answersTo(
    chosen.map((capture) => ({ capture, budgets })),
    { processes: Number(values.processes), msMax: limitMs },
    (done) => {
      if (done % 50 === 0) process.stderr.write(`${done} of ${chosen.length}\n`);
    },
  );
  const rows = chosen.flatMap((capture, i): Row[] => {
    const answer = answers[i];
    return answer === undefined ? [] : [{ capture, answer }];
  });
  const report = reportOf(captures, rows, { seed, budgets, limitMs });
  if (report.accepted > 0 && report.budgets.every(({ said }) => said === 0))
    throw new Error('No line is given as a user’s: the headings changed. Follow them in briefing-of.ts.');
  process.stdout.write(markdown(report));
  if (values.json !== undefined) writeFileSync(values.json, `${JSON.stringify(report, null, 2)}\n`);
  if (values.markdown !== undefined) writeFileSync(values.markdown, markdown(report));
  if (values.details !== undefined) writeFileSync(values.details, JSON.stringify(rows, null, 1));
}

async function sample(count: number): Promise<void> {
  if (values.continues === undefined || values.out === undefined)
    throw new Error('--sample needs --continues, the file of that command, and --out, a folder.');
  const out = resolve(values.out);
  await writeSample(captures.chosen, {
    count,
    seed,
    budget: budgets[0] ?? 2000,
    rival: resolve(values.continues),
    folder: out,
    keyFile: `${out}-key.json`,
  });
}

function shuffled(all: readonly Capture[]): Capture[] {
  return all.toSorted((a, b) => (placeOf(a) < placeOf(b) ? -1 : 1));
}

function placeOf({ name }: Capture): string {
  return createHash('sha256').update(`${seed} ${name}`).digest('hex');
}

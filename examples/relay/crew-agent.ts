/**
 * An agent of the crew, as a command that speaks JSON lines (docs/crew-lines.md):
 *
 *   node crew-agent.ts HALF-WAY
 *
 * It is scripted as those of the relay are: it writes the files of its part, or, asked for a review, runs the tests and says what it found. On its
 * first try at one part it stops half-way, and notes its process in the file HALF-WAY, for the audience to kill it there.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { parts } from './crew-plan.ts';

const [halfWay = ''] = process.argv.slice(2);
const say = (message: object): void => void process.stdout.write(`${JSON.stringify(message)}\n`);
let folder = '';

async function write(part: keyof typeof parts): Promise<void> {
  const { program, test } = parts[part];
  writeFileSync(join(folder, `${part}.test.mjs`), test);
  if (part === 'count' && !existsSync(halfWay)) {
    say({ type: 'said', text: 'the test is written; the program is next' });
    writeFileSync(halfWay, `${process.pid}`);
    await new Promise(() => setInterval(() => {}, 1000));
  }
  writeFileSync(join(folder, `${part}.mjs`), program);
  say({ type: 'said', text: `wrote ${part}.mjs and its test` });
}

function review(prompt: string): void {
  execFileSync(process.execPath, ['--test'], { cwd: folder, stdio: 'ignore' });
  const command = /^If it holds: staffetta (.+) --why TEXT$/m.exec(prompt)?.[1] ?? '';
  execFileSync('staffetta', [...command.split(' '), '--why', 'the tests pass here too'], { stdio: 'ignore' });
}

for await (const line of createInterface({ input: process.stdin })) {
  const message = JSON.parse(line) as { type: string; folder?: string; prompt?: string };
  folder = message.folder ?? folder;
  if (message.type !== 'turn') continue;
  const part = /Your part is (\w+) of the run/.exec(message.prompt ?? '')?.[1];
  if (part !== undefined) await write(part as keyof typeof parts);
  else review(message.prompt ?? '');
  say({ type: 'over' });
}

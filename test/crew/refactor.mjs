// An agent that can do fifteen files a leg, and notes its place after each fifth. It goes on from there, and looks first at files that it is told were changed
// after it. Once, in its second leg, it is killed between edits and their note.
import { execFileSync } from 'node:child_process';
import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

const { KILLED = '', STAFFETTA_LEG = '' } = process.env;
const [task, generation] = STAFFETTA_LEG.split('/');
const say = (message) => process.stdout.write(`${JSON.stringify(message)}\n`);
const staffetta = (...args) => execFileSync('staffetta', args, { encoding: 'utf8' });
let folder = '';

for await (const line of createInterface({ input: process.stdin })) {
  const message = JSON.parse(line);
  if (message.type === 'open') ({ folder } = message);
  if (message.type === 'turn') go(message.prompt);
}

function go(prompt) {
  const { progress } = JSON.parse(staffetta('show', task, '--json'));
  const doubtful = /After the last place .* they may be done\. (.*)$/m.exec(prompt)?.[1] ?? '';
  staffetta('ack', task, '--goal', 'stamp', '--gate', 'all stamped', '--next', 'go on');
  let done = 0;
  for (let n = progress?.at ?? 0; n < 50; n += 1) {
    if (done === 15) {
      say({ type: 'limit', kind: 'context' });
      say({ type: 'over' });
      return;
    }
    const name = `part-${String(n).padStart(2, '0')}.txt`;
    const path = join(folder, name);
    if (!(doubtful.includes(name) && readFileSync(path, 'utf8').includes('stamp')))
      appendFileSync(path, `stamp ${generation}\n`);
    if (generation === '2' && done === 7 && !existsSync(KILLED)) {
      writeFileSync(KILLED, name);
      process.kill(process.pid, 'SIGKILL');
    }
    done += 1;
    if (done % 5 === 0) staffetta('progress', '--at', String(n + 1), '--of', '50', '--cursor', name);
  }
  say({ type: 'over' });
}

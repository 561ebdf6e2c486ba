// An agent that speaks JSON lines. As an author it writes the file of its task; as a reviewer it approves with the command.
// SLOW: a task at which it says that it has begun (in BEGUN) and goes on when GO is there. MEDDLE: the id of that task, which it tries to
// complete from another one; what it is told is in GO then. LEAVE: a file that it leaves where it reviews.
import { execFileSync, spawnSync } from 'node:child_process';
import { appendFileSync, existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as wait } from 'node:timers/promises';

const { SLOW, BEGUN = '', GO = '', MEDDLE = '', LEAVE = '' } = process.env;
const say = (message) => process.stdout.write(`${JSON.stringify(message)}\n`);
let folder = '';
let mine;

for await (const line of createInterface({ input: process.stdin })) {
  const message = JSON.parse(line);
  if (message.type === 'open') ({ folder } = message);
  if (message.type !== 'turn') continue;
  const task = /Your part is (\S+) of the run/.exec(message.prompt)?.[1];
  mine ??= task;
  if (mine === undefined) review(message.prompt);
  else await write(mine);
  say({ type: 'over' });
}

async function write(task) {
  say({ type: 'said', text: `writing ${task}` });
  if (task === SLOW && !existsSync(GO)) {
    appendFileSync(BEGUN, `${process.pid}\n`);
    while (!existsSync(GO)) await wait(20);
  }
  if (task !== SLOW && MEDDLE !== '') {
    while (!existsSync(BEGUN)) await wait(20);
    const { stderr } = spawnSync('staffetta', ['complete', MEDDLE], { encoding: 'utf8' });
    writeFileSync(GO, stderr);
  }
  writeFileSync(join(folder, `${task}.txt`), `${task}\n`);
  say({ type: 'usage', tokens: 100 });
}

function review(prompt) {
  const command = /^If it holds: staffetta (.+) --why TEXT$/m.exec(prompt)?.[1] ?? '';
  if (LEAVE !== '') writeFileSync(join(folder, LEAVE), 'mine');
  execFileSync('staffetta', [...command.split(' '), '--why', 'It holds.'], { stdio: 'ignore' });
}

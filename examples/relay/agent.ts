/**
 * One agent of the relay, in a process of its own:
 *
 *   node agent.ts ROLE NAME STORE FOLDER
 *
 * The agents are scripted, but the work is real: they read and change files, run the tests, and know nothing of each other
 * but what the task carries. Each line on stdout tells the audience where the agent is.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isStaffettaError, openStaffetta, type Leg, type Staffetta } from 'staffetta';
import { runTests } from './workplace.ts';

const [role = '', name = '', store = '', folder = ''] = process.argv.slice(2);
const lanes = { research: 'plan', code: 'execute', qa: 'audit' } as const;
const leaseMs = 1500;

function say(text: string): void {
  process.stdout.write(`${text}\n`);
}

async function research(leg: Leg): Promise<void> {
  await leg.acknowledge({ next: 'see which tests fail' });
  const { output } = runTests(folder);
  const failing = [...output.matchAll(/^not ok \d+ - (.+)$/gm)].map((match) => match[1] ?? '');
  say(`ran the tests: ${failing.length} fail (${failing.join('; ')})`);
  await leg.decide('Decompose accents with NFD and drop the marks', {
    why: 'no dependency, and it covers every Latin letter',
    rejected: ['a table of letters: never complete'],
  });
  await leg.ruledOut('encodeURIComponent', 'it keeps the accents, only percent-encoded');
  writeFileSync(join(folder, 'notes', 'findings.md'), failing.map((title) => `- ${title}\n`).join(''));
  await leg.handoff({
    to: 'lane:execute',
    why: 'research is finished',
    claims: { done: ['reproduced the failures'], next: 'make slug.mjs fold accents, then drop punctuation' },
    artefacts: [{ path: 'slug.mjs' }, { path: 'notes/findings.md', role: 'findings' }],
    transcript: `research ran the tests and saw:\n${output}`,
  });
  say('handed off to the execute lane');
}

async function code(leg: Leg): Promise<void> {
  const done = (leg.received?.claims.done ?? []).filter((claim) => typeof claim === 'string');
  await leg.acknowledge({ next: leg.received?.claims.next ?? 'begin' });
  writeFileSync(join(folder, `.${name}.leg`), leg.fence);
  const source = join(folder, 'slug.mjs');
  if (!done.includes('accents')) {
    const folded = readFileSync(source, 'utf8').replace(
      'title.toLowerCase()',
      "title.normalize('NFD').replace(/\\p{M}/gu, '').toLowerCase()",
    );
    writeFileSync(source, folded);
    await leg.checkpoint({
      claims: { done: ['accents'], remaining: ['punctuation'], next: 'drop punctuation' },
      transcript: 'code: accents fold now; punctuation is next.\n',
    });
    say('half-way: accents are done and sealed in a checkpoint');
    await thinkLong(leg);
  }
  say(`carrying on after: ${done.join(', ')}`);
  const finished = readFileSync(source, 'utf8').replace(
    ".replaceAll(' ', '-')",
    ".replace(/[^a-z0-9 ]/g, '').replaceAll(' ', '-')",
  );
  writeFileSync(source, finished);
  const { passed } = runTests(folder);
  say(`ran the tests: ${passed ? 'all pass' : 'some fail'}`);
  await leg.handoff({
    to: 'lane:audit',
    why: 'ready to be verified',
    claims: { done: ['accents', 'punctuation'], next: 'run the tests and read the diff' },
    artefacts: [{ path: 'slug.mjs' }],
  });
  say('handed off to the audit lane');
}

/** Stands for a model that takes its time. The lease is renewed meanwhile, so only death makes it lapse. */
async function thinkLong(leg: Leg): Promise<void> {
  for (;;) {
    await new Promise((resolve) => setTimeout(resolve, leaseMs / 3));
    if ((await leg.renew()) === null) return;
  }
}

async function qa(leg: Leg): Promise<void> {
  await leg.acknowledge({ next: 'run the tests myself' });
  const before = readFileSync(join(folder, 'slug.mjs'), 'utf8');
  const { passed, output } = runTests(folder);
  if (!passed || readFileSync(join(folder, 'slug.mjs'), 'utf8') !== before) {
    await leg.fail('the tests do not pass');
    return;
  }
  await leg.complete({ claims: { done: ['verified: all tests pass'] }, transcript: output });
  say('verified: the tests pass, the task is done');
}

/** A process that was dead and is back: it still believes in its old leg. */
async function comeBack(relay: Staffetta): Promise<void> {
  const [task = '', generation = ''] = readFileSync(join(folder, `.${name}.leg`), 'utf8').split('/');
  say(`is back, and tries to go on with generation ${generation}`);
  try {
    await relay.note(task, Number(generation), 'I was in the middle of something', {
      as: { name, lane: 'execute' },
    });
    say('was let through: that must not happen');
    process.exitCode = 1;
  } catch (error) {
    if (!isStaffettaError(error)) throw error;
    say(`refused (${error.code}): ${error.message}`);
  }
}

const relay = await openStaffetta({ store });
const handlers = { research, code, qa };
if (existsSync(join(folder, `.${name}.leg`))) await comeBack(relay);
else if (role === 'research' || role === 'code' || role === 'qa') {
  const worker = relay.worker({ name, lane: lanes[role] }, handlers[role], {
    leaseMs,
    onError: (error) => say(`failed: ${error instanceof Error ? error.message : String(error)}`),
  });
  while (!(await worker.once())) await new Promise((resolve) => setTimeout(resolve, 50));
}
await relay.close();

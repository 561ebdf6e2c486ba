/**
 * One agent of the relay, in a process of its own:
 *
 *   node agent.ts ROLE NAME STORE FOLDER
 *
 * The agents are scripted, but the work is real: they read and change files, run the tests, and know nothing of each other
 * but what the task carries. Each line on stdout tells the audience where the agent is.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isStaffettaError, openStaffetta, type HandoffInput, type Leg, type Staffetta } from 'staffetta';

const [role = '', name = '', store = '', folder = ''] = process.argv.slice(2);
const lanes = { research: 'plan', code: 'execute', qa: 'audit' } as const;
const leaseMs = 1500;
/** What a process remembers of its leg; beside the store, where it is no part of the work. */
const legFile = join(dirname(store), `${name}.leg`);

function say(text: string): void {
  process.stdout.write(`${text}\n`);
}

async function research(leg: Leg): Promise<void> {
  await leg.acknowledge({ next: 'see which tests fail' });
  const output = (await leg.validate()).map((ran) => Buffer.from(ran.output).toString('utf8')).join('');
  const failing = [...output.matchAll(/^not ok \d+ - (.+)$/gm)].map((match) => match[1] ?? '');
  say(`had the tests run: ${failing.length} fail (${failing.join('; ')})`);
  await leg.decide('Decompose accents with NFD and drop the marks', {
    why: 'no dependency, and it covers every Latin letter',
    rejected: ['a table of letters: never complete'],
  });
  await leg.ruleOut('encodeURIComponent', 'it keeps the accents, only percent-encoded');
  writeFileSync(join(folder, 'notes', 'findings.md'), failing.map((title) => `- ${title}\n`).join(''));
  await leg.handoff({
    to: 'lane:execute',
    why: 'research is finished',
    claims: {
      done: [{ text: 'reproduced the failures', evidence: ['file:notes/findings.md'] }],
      next: 'make slug() in slug.mjs fold accents and drop punctuation',
    },
    artefacts: [{ path: 'slug.mjs' }, { path: 'notes/findings.md', role: 'findings' }],
    transcript: `research ran the tests and saw:\n${output}`,
  });
  say('handed off to the execute lane');
}

async function code(leg: Leg): Promise<void> {
  const done = (leg.received?.claims.done ?? []).map((claim) =>
    typeof claim === 'string' ? claim : claim.text,
  );
  await leg.acknowledge({ next: leg.received?.claims.next ?? 'begin' });
  writeFileSync(legFile, leg.fence);
  const source = join(folder, 'slug.mjs');
  if (!done.includes('accents')) {
    const folded = readFileSync(source, 'utf8').replace(
      'title.toLowerCase()',
      "title.normalize('NFD').replace(/\\p{M}/gu, '').toLowerCase()",
    );
    writeFileSync(source, folded);
    await leg.checkpoint({
      claims: {
        done: [{ text: 'accents', evidence: ['file:slug.mjs'] }],
        remaining: ['punctuation'],
        next: 'drop punctuation in slug.mjs',
      },
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
  const packet: HandoffInput = {
    to: 'lane:audit',
    why: 'ready to be verified',
    claims: {
      done: [{ text: 'accents and punctuation: all tests pass', evidence: ['file:slug.mjs'] }],
      next: 'run the tests and read the diff of slug.mjs',
    },
    artefacts: [{ path: 'slug.mjs' }],
  };
  await tooSoon(leg, packet);
  const [ran] = await leg.validate();
  say(`had the tests run: ${ran?.passed === true ? 'all pass' : 'some fail'}`);
  await leg.handoff(packet);
  say('handed off to the audit lane');
}

/** It names a file that is not there. */
async function tooSoon(leg: Leg, packet: HandoffInput): Promise<void> {
  try {
    await leg.handoff({ ...packet, artefacts: [{ path: 'accents.md' }] });
  } catch (error) {
    if (!isStaffettaError(error, 'not-ready')) throw error;
    const finding = (error.details['findings'] as { rule: string; text: string }[]).find(
      ({ rule }) => rule === 'path-absent',
    );
    say(`refused (${error.code}): ${finding?.text ?? error.message}`);
  }
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
  const ran = await leg.validate();
  if (ran.some(({ passed }) => !passed)) {
    await leg.fail('the tests do not pass');
    return;
  }
  await leg.complete({
    claims: { done: [{ text: 'verified: all tests pass', evidence: ['file:slug.mjs'] }] },
    transcript: Buffer.concat(ran.map(({ output }) => output)),
  });
  say('verified: the tests pass on the workspace as it was received, the task is done');
}

/** What went wrong, with what the gate found; the parent process learns it from the exit code. */
function failed(error: unknown): void {
  process.exitCode = 1;
  if (!isStaffettaError(error)) {
    say(`failed: ${error instanceof Error ? error.message : String(error)}`);
    return;
  }
  say(`refused (${error.code}): ${error.message}`);
  const found = (error.details['findings'] ?? []) as { severity: string; rule: string; text: string }[];
  for (const { severity, rule, text } of found) say(`  ${severity}: ${rule}: ${text}`);
}

/** A process that was dead and is back: it still believes in its old leg. */
async function comeBack(relay: Staffetta): Promise<void> {
  const [task = '', generation = ''] = readFileSync(legFile, 'utf8').split('/');
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

const relay = await openStaffetta({ store, workspace: folder });
const handlers = { research, code, qa };
if (existsSync(legFile)) await comeBack(relay);
else if (role === 'research' || role === 'code' || role === 'qa') {
  const worker = relay.worker({ name, lane: lanes[role] }, handlers[role], {
    leaseMs,
    onError: failed,
  });
  while (!(await worker.once())) await new Promise((resolve) => setTimeout(resolve, 50));
}
await relay.close();

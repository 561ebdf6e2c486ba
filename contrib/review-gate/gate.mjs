/**
 * Lets a change pass whose work was handed over and approved: the file that `staffetta export` wrote holds an approval of its latest packet,
 * signed by a key that this repository trusts, and nothing was changed since the commit that the packet was sealed on. Everything that is in the
 * file was written by the author of the change: only keys and digests decide.
 *
 *   PACKET      the file, in the repository that this runs in
 *   REVIEWERS   keys that may approve, as `staffetta key show` prints them: sha256:…, with spaces or line breaks between them
 *   STAFFETTA   the command, if it is not staffetta
 *
 * Exit 0: approved. 7: not approved. 6: changed since. Else what staffetta said of the file.
 */
import { spawnSync } from 'node:child_process';
import { appendFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const { PACKET = '', REVIEWERS = '', STAFFETTA = 'staffetta', GITHUB_STEP_SUMMARY = '' } = process.env;
const exits = { usage: 2, changed: 6, unapproved: 7 };
const scratch = mkdtempSync(join(tmpdir(), 'review-gate-'));
process.on('exit', () => rmSync(scratch, { recursive: true, force: true }));

function end(exit, words) {
  console.log(words);
  if (GITHUB_STEP_SUMMARY !== '') appendFileSync(GITHUB_STEP_SUMMARY, `${words}\n`);
  process.exit(exit);
}

function run(program, args) {
  const ran = spawnSync(program, args, { encoding: 'utf8', maxBuffer: 1 << 28 });
  return { status: ran.status ?? 1, stdout: ran.stdout ?? '', stderr: ran.stderr ?? String(ran.error) };
}

function staffetta(...args) {
  const [program, ...before] = STAFFETTA.split(' ');
  const ran = run(program, [...before, ...args, '--store', join(scratch, 'store.db')]);
  if (ran.status !== 0) end(ran.status, `Refused: ${ran.stderr.trim()}`);
  return ran.stdout;
}

const trusted = REVIEWERS.split(/\s+/).filter((key) => /^sha256:[0-9a-f]{64}$/.test(key));
if (PACKET === '' || trusted.length === 0)
  end(exits.usage, 'The gate needs PACKET, a file, and REVIEWERS, the keys of those who may approve.');
const { task } = JSON.parse(staffetta('import', PACKET, '--json'));
staffetta('verify', task);
const { packet } = JSON.parse(staffetta('show', task, '--json'));
if (packet === null) end(exits.unapproved, `Task ${task} has no packet.`);

const approvals = staffetta('export', task, '--envelopes')
  .split('\n')
  .filter((line) => line !== '')
  .map((line) => JSON.parse(line))
  .map(({ payload, signatures }) => ({ ...JSON.parse(atob(payload)), signatures }))
  .filter(({ predicateType }) => predicateType === 'urn:staffetta:approval:v1')
  .filter(({ subject }) =>
    subject.some(({ name, digest }) => name === 'packet' && `sha256:${digest.sha256}` === packet.digest),
  );
const by = approvals.flatMap(({ signatures }) => signatures).find(({ keyid }) => trusted.includes(keyid));
if (by === undefined)
  end(
    exits.unapproved,
    `Not approved: no trusted key signed an approval of packet ${packet.digest} of task ${task}.`,
  );

const commit = packet.facts?.workspace?.git?.head ?? '';
if (!/^[0-9a-f]{40,64}$/.test(commit))
  end(exits.changed, 'The packet was not sealed on a commit: commit the work, then submit it.');
const git = (...args) => run('git', ['-c', 'safe.directory=*', ...args]);
const isIn = git('merge-base', '--is-ancestor', commit, 'HEAD').status === 0;
if (!isIn) end(exits.changed, `The packet was sealed on ${commit}, which this change does not go on from.`);
const since = git('diff', '--name-only', commit, 'HEAD', '--', '.', `:(exclude)${PACKET}`);
if (since.status !== 0 || since.stdout !== '')
  end(exits.changed, `Changed since it was approved:\n${since.stdout.replaceAll(/[^\x20-\x7e\n]/g, '?')}`);
end(0, `Approved: packet ${packet.digest} of task ${task}, by the key ${by.keyid}.`);

/** Commits and pull requests that were made in a session, by what git and the forges' tools printed when they were asked to make them. */
import type { Result } from '../transcript/step.ts';
import type { StoryStep } from '../transcript/story.ts';
import { commandOf } from './proofs/runs.ts';

export interface MadeCommit {
  /** As git abbreviates it; the address of a pull request; what is known of one whose output does not name it. */
  readonly id: string;
  readonly text: string;
  readonly ref: number;
}

const commits = /\bgit\b[^\n|;&]{0,400}\bcommit\b/;
/** `[main 1a2b3c4] subject`, `[detached HEAD 1a2b3c4] subject`, `[main (root-commit) 1a2b3c4] subject`. */
const committed = /^\[([^\]\n]{1,200}) ([0-9a-f]{7,40})\] (.{1,300})$/gm;
const requests = /\b(?:gh pr create|glab mr create)\b/;
const requested = /https:\/\/[\w.-]+\/[\w./-]+\/(?:pull|merge_requests)\/\d+/;
const outputCharsMax = 20_000;

/** Oldest first; one that was amended or made anew under the same name is told once. */
export function commitsIn(steps: readonly StoryStep[]): MadeCommit[] {
  const made = new Map<string, MadeCommit>();
  for (const step of steps) {
    if (step.aside === 'rewritten' || step.calls === undefined) continue;
    for (const call of step.calls) {
      const command = commandOf(call);
      const result = step.results?.find((each) => each.call === call.id);
      if (command === null || result === undefined || result.failed) continue;
      for (const commit of madeBy(command, result, step.ref)) {
        const key = `${commit.id} ${commit.text}`;
        made.delete(key);
        made.set(key, commit);
      }
    }
  }
  return [...made.values()];
}

function madeBy(command: string, result: Result, ref: number): MadeCommit[] {
  const output = result.text.slice(0, outputCharsMax);
  const found: MadeCommit[] = [];
  if (commits.test(command)) {
    for (const [, , id = '', text = ''] of output.matchAll(committed))
      found.push({ id, text: text.trim(), ref });
    const subject = found.length === 0 ? subjectIn(command) : undefined;
    const id = result.passed === true || result.exit === 0 ? 'committed' : 'commit, outcome unknown';
    if (subject !== undefined) found.push({ id, text: subject, ref });
  }
  const address = requests.test(command) ? requested.exec(output)?.[0] : undefined;
  if (address !== undefined) found.push({ id: address, text: 'pull request', ref });
  return found;
}

/** The first line of the message on the command line: quoted, or in a document that the shell reads. */
function subjectIn(command: string): string | undefined {
  const [, document] =
    /\bcommit\b[^\n]{0,200}<<-?\s*\\?['"]?\w+['"]?\n\s*(\S[^\n]{0,300})/.exec(command) ?? [];
  const [, , quoted] = /\bcommit\b[^\n]{0,200}?\s-[a-z]*m\s*(["'])([^"'\n]{1,300})/.exec(command) ?? [];
  return (document ?? quoted)?.trim();
}

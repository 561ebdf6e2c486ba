/** Commits of ours: whose they are, and the trailers by which they are found again. */
import { defined } from '../../core/base/defined.ts';
import type { IntegrateOrder } from '../../ports/integrate.ts';
import type { Repository } from '../git/locate.ts';
import { askGit, git, type GitPlace } from '../git/spawn.ts';

export const submittedTrailer = 'Staffetta-Submitted';
/** The head that several commits were made anew on; a merge has it as its parent. */
export const ontoTrailer = 'Staffetta-Onto';

export interface NewCommit {
  readonly tree: string;
  readonly parents: readonly string[];
  readonly message: string;
  readonly env?: NodeJS.ProcessEnv;
}

export async function makeCommit(
  place: GitPlace,
  { tree, parents, message, env }: NewCommit,
): Promise<string> {
  const args = ['commit-tree', tree, ...parents.flatMap((parent) => ['-p', parent]), '-F', '-'];
  const { stdout } = await git(place, args, { input: message, ...defined({ env }) });
  return stdout.toString('latin1').trim();
}

/** The user's own name where git knows it; a commit must have one. */
export async function committerOf(repository: Repository): Promise<NodeJS.ProcessEnv> {
  if ((await askGit(repository, ['var', 'GIT_COMMITTER_IDENT'])).code === 0) return {};
  const [name, email] = ['Staffetta', 'staffetta@localhost'];
  return {
    GIT_AUTHOR_NAME: name,
    GIT_AUTHOR_EMAIL: email,
    GIT_COMMITTER_NAME: name,
    GIT_COMMITTER_EMAIL: email,
  };
}

export function withTrailers(text: string, { run, task }: IntegrateOrder, submitted: string): string {
  // What an agent wrote in its message is not ours.
  const said = text
    .split('\n')
    .filter((line) => !/^staffetta-(?:submitted|onto|task|run):/i.test(line))
    .join('\n')
    .trim();
  return `${said === '' ? task : said}\n\nStaffetta-Task: ${task}\nStaffetta-Run: ${run}\n${submittedTrailer}: ${submitted}\n`;
}

/** One line, whatever was given. */
export function titleOf(title: string): string {
  return title.split(/\s+/).filter(Boolean).join(' ').slice(0, 200);
}

import type { DoctorFinding } from './doctor-finding.ts';
import type { GitHere } from '../../../compose/git-here.ts';

const fix = 'Install git 2.31 or newer.';

/** Work in a repository cannot be sealed without git; elsewhere nobody misses it. */
export function gitFinding({ inRepository, program, version, isFit }: GitHere): DoctorFinding {
  if (isFit) return { check: 'git', status: 'ok', text: `git ${version} at ${program}` };
  const text =
    program === undefined
      ? 'there is no git'
      : version === undefined
        ? `${program} does not say which version it is`
        : `git ${version} at ${program} is too old to be used safely`;
  return inRepository
    ? { check: 'git', status: 'wrong', code: 'git-missing', text: `${text}; this is a git repository`, fix }
    : { check: 'git', status: 'untried', text: `${text}; it is needed for work in git repositories`, fix };
}

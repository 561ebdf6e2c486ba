export type { GitHere } from '../workspace/git/version.ts';
export { gitHere } from '../workspace/git/version.ts';

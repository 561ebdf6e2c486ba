/**
 * Whether git would take a folder for the home of a repository. Looking for one upwards, git passes by a `.git` folder that lacks a
 * valid HEAD, its objects or its refs: sandboxes leave empty ones behind. One that has some of it was a repository once.
 */
export interface GitFolderDisk {
  isFolder(path: string): boolean;
  /** Of a link that is HEAD, as older gits made them, what it stands for. Undefined if there is nothing to read. */
  text(path: string): string | undefined;
}

export type GitFolderKind = 'whole' | 'damaged' | 'none';

export function gitFolderKind(folder: string, disk: GitFolderDisk): GitFolderKind {
  const head = disk.text(`${folder}/HEAD`);
  // A linked worktree keeps objects and refs where its repository is.
  const common = disk.text(`${folder}/commondir`)?.trim();
  const shared =
    common === undefined || common === '' ? folder : common.startsWith('/') ? common : `${folder}/${common}`;
  const parts = [
    head !== undefined && isHead(head),
    disk.isFolder(`${shared}/objects`),
    disk.isFolder(`${shared}/refs`),
  ];
  if (parts.every(Boolean)) return 'whole';
  return head !== undefined || parts.some(Boolean) ? 'damaged' : 'none';
}

/** It names a branch or a commit. */
function isHead(text: string): boolean {
  return /^(?:ref:\s*refs\/|[0-9a-fA-F]{40})/.test(text);
}

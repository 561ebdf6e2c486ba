/** Said by each program that it is true of, and shown once. */
export const folderTrust =
  'What lies in a repository Codex, Claude Code and Copilot CLI use only in a folder that you trust: they ask when they are started there.';

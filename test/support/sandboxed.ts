/**
 * Tests work in the temporary folder, and whatever lies in it or above it, a repository for one, is none of their business. Git, and
 * what looks for a repository or a store as git does, goes no further up than this; see vitest.config.ts.
 */
export const sandboxed = { GIT_CEILING_DIRECTORIES: process.env['GIT_CEILING_DIRECTORIES'] ?? '' } as const;

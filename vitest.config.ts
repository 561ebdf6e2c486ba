import { chmodSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { LongestFirst } from './scripts/longest-first.ts';

// All that the tests make lies in one folder, and goes with it: also what a killed process, or a test that failed, leaves there.
const scratch = mkdtempSync(join(realpathSync(tmpdir()), 'st-'));
// As open as the folder it stands for: some programs run as another user.
chmodSync(scratch, 0o1777);
process.env['TMPDIR'] = scratch;
process.once('exit', () => rmSync(scratch, { recursive: true, force: true }));

// They start programs in a folder that is removed with their file.
const startPrograms = 'src/cli/commands/doctor/*.test.ts';

export default defineConfig({
  test: {
    // For what never ends, not for what is slow: a machine may be busy with other things.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    // A quarter of the time they wait for processes of their own: one more than there are cores.
    maxWorkers: availableParallelism() + 1,
    sequence: { sequencer: LongestFirst },
    // Nobody looks further up than where the tests' own folders lie: see test/support/sandboxed.ts.
    env: { GIT_CEILING_DIRECTORIES: scratch },
    // None for a developer, who is to see what wavers. On a shared machine one: what passed only then is named at the end of the run.
    retry: Number(process.env['STAFFETTA_RETRY'] ?? 0),
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: ['src/**/*.test.ts', 'web/src/**/*.test.ts'],
          exclude: [startPrograms],
          // They leave nothing behind in their process, and loading the source anew for each file took longer than the tests.
          isolate: false,
        },
      },
      {
        extends: true,
        test: {
          name: 'whole',
          include: ['test/**/*.test.ts', startPrograms],
          globalSetup: 'test/support/postgres-setup.ts',
        },
      },
    ],
    reporters: ['default', './scripts/tally-reporter.ts'],
  },
});

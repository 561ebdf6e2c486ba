import { defineConfig } from 'vitest/config';
import { LabReporter } from './test/lab/reporter.ts';

/** The real programs, two at a time. A command of its own: npm run test:runtimes. */
export default defineConfig({
  test: {
    include: ['test/lab/**/*.lab.ts'],
    globalSetup: ['test/lab/setup.ts'],
    setupFiles: ['test/lab/clean-up.ts'],
    // The programs are not ours, and wait for nobody on a busy machine: what fails once is tried once more.
    retry: 1,
    testTimeout: 300_000,
    hookTimeout: 300_000,
    fileParallelism: false,
    maxConcurrency: 2,
    reporters: ['default', './scripts/tally-reporter.ts', new LabReporter()],
  },
});

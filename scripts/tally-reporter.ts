import type { Reporter, TestModule } from 'vitest/node';

/** Closes a run with one plain line that any tool can read, after naming what passed only when it was tried again. */
export default class TallyReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    let passed = 0;
    let failed = 0;
    let skipped = 0;
    const wavering: string[] = [];
    for (const module of modules) {
      failed += module.errors().length;
      for (const test of module.children.allTests()) {
        const { state } = test.result();
        if (state === 'passed') passed += 1;
        else if (state === 'failed') failed += 1;
        else skipped += 1;
        if (test.diagnostic()?.flaky === true) wavering.push(`${module.relativeModuleId}: ${test.fullName}`);
      }
    }
    for (const name of wavering) process.stdout.write(`\nWAVERS, passed at the second try: ${name}\n`);
    process.stdout.write(`\n${passed} passed, ${failed} failed, ${skipped} skipped\n`);
  }
}

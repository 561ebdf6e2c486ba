/** Hands what the tests said of themselves to the report. */
import type { Reporter, TestModule } from 'vitest/node';
import { reportOf, type Proof } from './report.ts';

export class LabReporter implements Reporter {
  readonly #started = performance.now();

  onTestRunEnd(modules: readonly TestModule[]): void {
    const proofs = modules
      .flatMap((module) => [...module.children.allTests()])
      .flatMap((test): Proof[] => {
        const { proves } = test.meta();
        if (proves === undefined) return [];
        const result = test.result();
        const note = result.state === 'skipped' ? result.note : undefined;
        return [
          {
            ...proves,
            state: result.state === 'pending' ? 'failed' : result.state,
            ms: test.diagnostic()?.duration ?? 0,
            ...(note === undefined ? {} : { note }),
          },
        ];
      });
    process.stdout.write(`\n${reportOf(proofs, performance.now() - this.#started)}\n`);
  }
}

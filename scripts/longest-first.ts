import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** By the processor time they take, 15 s and more. Where nothing ran before, the test runner would put them last: their files are small. */
const longest = [
  'test/sim/sim.test.ts',
  'test/conformance.test.ts',
  'test/crash/crash.test.ts',
  'test/contention/contention.test.ts',
  'test/faults/disk-faults.test.ts',
  'test/crash/mid-write.test.ts',
  'test/s3/bell.test.ts',
  'test/hostile/time.test.ts',
  'test/cli/stories.test.ts',
  'test/browser/review.test.ts',
  'test/cli/resume.test.ts',
  'test/browser/axe.test.ts',
  'test/docs.test.ts',
  'test/crew/wrong-input.test.ts',
  'test/cli/every-command.test.ts',
  'test/cli/doctor.test.ts',
  'test/crash/random-kills.test.ts',
  'test/trees/killed.test.ts',
];

/** Two workers end together only if no long file begins when the others are done. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const { whole = [], others = [] } = Object.groupBy(sorted, ({ project }) =>
      project.name === 'whole' ? 'whole' : 'others',
    );
    return [...others, ...whole.toSorted((a, b) => placeOf(a) - placeOf(b))];
  }
}

function placeOf({ moduleId }: TestSpecification): number {
  const place = longest.findIndex((path) => moduleId.endsWith(`/${path}`));
  return place === -1 ? longest.length : place;
}

import { expect, test } from 'vitest';
import { digestOf } from '../../core/journal/digest.ts';
import type { RecordedRun } from '../../handoff/verbs/run.ts';
import { ranData, ranText } from './runs-page.ts';

const plain = (text: string): string => text;
const output = { paint: { dim: plain, bold: plain, good: plain, warn: plain, bad: plain } };

function ran(printed: string, more: Partial<RecordedRun> = {}, report: object = {}): RecordedRun {
  const bytes = Buffer.from(printed);
  const digest = digestOf('tree');
  return {
    validation: { run: ['npm', 'test'] },
    output: bytes,
    passed: true,
    changedWorkspace: false,
    event: {
      run: ['npm', 'test'],
      exit: 0,
      ended: 'exited',
      ms: 5,
      outputBytes: bytes.length,
      workspace: digest,
    },
    entry: 3,
    evidence: 'r3',
    ...more,
    report: {
      command: ['npm', 'test'],
      end: { how: 'exited', code: 0 },
      durationMs: 5,
      output: bytes,
      outputBytes: bytes.length,
      droppedBytes: 0,
      leftovers: false,
      unended: false,
      content: digest,
      before: digest,
      after: digest,
      ...report,
    },
  };
}

test('a long line is cut, and printed whole where all is asked for', () => {
  const long = ran(`${'x'.repeat(1_000_000)}\nend`);
  expect(ranText(long, false, output).length).toBeLessThan(2000);
  expect(ranText(long, false, output)).toContain('(1000000 characters)');
  expect(JSON.stringify(ranData(long, false)).length).toBeLessThan(4000);
  expect(ranText(long, true, output).length).toBeGreaterThan(1_000_000);
});

test('what could not be ended is told, and the result holds for nothing', () => {
  const one = ran('', {}, { unended: true });
  const text = ranText({ ...one, event: { ...one.event, workspace: null } }, false, output);
  expect(text).toContain('goes on and could not be ended');
  expect(text).not.toContain('Holds for');
});

test('what undoes a phase is not told to leave the workspace as it is', () => {
  const event = { ...ran('').event, workspace: null, phase: { name: 'dig', part: 'rollback' as const } };
  const text = ranText(ran('', { event, changedWorkspace: true }), false, output);
  expect(text).toContain('The workspace is another now.');
  expect(text).not.toContain('Run it again');
});

import { expect, test } from 'vitest';
import { processStat, statByPs } from './process-tree.ts';

test.runIf(process.platform === 'linux')(
  'ps tells of a process what the kernel does, and nothing of none',
  () => {
    for (const pid of [process.pid, process.ppid]) {
      const { started, ...known } = processStat(pid) ?? { started: '' };
      expect(statByPs(pid)).toEqual({
        ...known,
        started: expect.stringMatching(/^[\w-]+-20\d\d$/) as string,
      });
      expect(started).not.toBe('');
    }
    expect(statByPs(2 ** 22 + 1)).toBeUndefined();
  },
);

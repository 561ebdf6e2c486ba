/** The programs of examples/adapters, against the built package. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '..', '..');
const prints: Readonly<Record<string, readonly string[]>> = {
  langgraph: [
    'Error: the model is overloaded',
    'The parser accepts comments. Looks good.',
    '1 langgraph handed-off',
    '2 code handed-off',
    '3 review handed-off',
    '4 langgraph handed-off',
    'held',
  ],
  'openai-agents': [
    'Error: the network is down',
    'desk 1',
    'It is refunded. 4',
    '1 desk handed-off',
    '2 billing handed-off',
  ],
  a2a: ['TASK_STATE_SUBMITTED', 'packet 1', 'TASK_STATE_INPUT_REQUIRED'],
  'ai-sdk': ['Error: the model is overloaded', 'true 5', '1 ada handed-off'],
};

test.each(Object.entries(prints))('%s', (name, lines) => {
  const { stdout, stderr } = spawnSync(process.execPath, [join(root, 'examples/adapters', `${name}.ts`)], {
    cwd: root,
    encoding: 'utf8',
  });
  expect(`${stderr}${stdout}`.trim().split('\n')).toEqual(lines);
});

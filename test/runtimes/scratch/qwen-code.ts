import { join } from 'node:path';
import type { RuntimeScratch } from '../../../src/conformance/index.ts';
import { runtime as runtimeOf } from '../../../src/runtimes/qwen-code/index.ts';
import { lineFiles } from './line-files.ts';
import { folder, places } from './open.ts';

const fixtures = join(import.meta.dirname, '../fixtures/qwen-code');
const runtime = 'qwen-code' as const;

export function qwenCode(): RuntimeScratch {
  const shared = places(runtime);
  const at = (
    project: string,
    id: string,
    fixture = '',
  ): { runtime: typeof runtime; id: string; path: string; fixture: string } => ({
    runtime,
    id,
    path: join(shared.home, '.qwen/projects', project, 'chats', `${id}.jsonl`),
    fixture: join(fixtures, fixture),
  });
  return lineFiles({
    runtime: runtimeOf({ HOME: shared.home, PATH: shared.bin }),
    shared,
    sessions: [
      at('-home-dev-demo', 'efd565b8-fdbd-4a20-98ca-4f00ce3592ac', 'basic.jsonl'),
      at('-home-dev-demo', '0506796f-82ab-4090-8ef4-c4847b61d92f', 'hooks.jsonl'),
      at('-home-dev-elsewhere', '9ea524d7-835d-4bcc-b09e-f731d86f3e54', 'crash-mid-tool.jsonl'),
    ],
    grown: join(fixtures, 'after-resume.jsonl'),
    words: ['list the files', 'drop the files'],
    garbled: at('-home-dev-demo', '3b0f7a3e-6d0c-4a53-9f0d-2f6d6c1f9a11'),
    line: (place, letters) => ({
      uuid: `u${place}`,
      parentUuid: place === 0 ? null : `u${place - 1}`,
      sessionId: 's',
      timestamp: '2026-11-18T02:07:42.719Z',
      type: 'assistant',
      cwd: folder,
      version: '0.24.4',
      message: { role: 'model', parts: [{ text: letters }] },
    }),
    long: at('-home-dev-demo', '4b0f7a3e-6d0c-4a53-9f0d-2f6d6c1f9a11'),
  });
}

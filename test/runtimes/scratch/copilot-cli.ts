import { join } from 'node:path';
import type { RuntimeScratch } from '../../../src/conformance/index.ts';
import { runtime as runtimeOf } from '../../../src/runtimes/copilot-cli/index.ts';
import { lineFiles } from './line-files.ts';
import { places } from './open.ts';

const fixtures = join(import.meta.dirname, '../fixtures/copilot-cli');
const runtime = 'copilot-cli' as const;

export function copilotCli(): RuntimeScratch {
  const shared = places(runtime);
  const at = (
    id: string,
    fixture = '',
  ): { runtime: typeof runtime; id: string; path: string; fixture: string } => ({
    runtime,
    id,
    path: join(shared.home, '.copilot/session-state', id, 'events.jsonl'),
    fixture: join(fixtures, fixture),
  });
  return lineFiles({
    runtime: runtimeOf({ HOME: shared.home, PATH: shared.bin }),
    shared,
    sessions: [
      at('1fbc279c-a83b-42c3-83a9-7bb9fbc0917a', 'basic.jsonl'),
      at('fff60c1c-71c0-4a34-84cc-297955eb292e', 'hooks.jsonl'),
      at('c6b108d9-f451-4b61-af97-ffa6f3ffa86e', 'crash-mid-tool.jsonl'),
    ],
    grown: join(fixtures, 'after-resume.jsonl'),
    words: ['list the files', 'drop the files'],
    garbled: at('3b0f7a3e-6d0c-4a53-9f0d-2f6d6c1f9a11'),
    line: (place, letters) => ({
      type: 'assistant.message',
      data: { messageId: `m${place}`, content: letters, toolRequests: [] },
      id: `e${place}`,
      timestamp: '2026-11-18T16:11:45.239Z',
      parentId: place === 0 ? null : `e${place - 1}`,
    }),
    long: at('4b0f7a3e-6d0c-4a53-9f0d-2f6d6c1f9a11'),
  });
}

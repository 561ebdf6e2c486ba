import { join } from 'node:path';
import type { RuntimeScratch } from '../../../src/conformance/index.ts';
import { runtime as runtimeOf } from '../../../src/runtimes/claude-code/index.ts';
import { answer } from '../fixtures/claude-code/load.ts';
import { lineFiles } from './line-files.ts';
import { places } from './open.ts';

const fixtures = join(import.meta.dirname, '../fixtures/claude-code');
const runtime = 'claude-code' as const;

export function claudeCode(): RuntimeScratch {
  const shared = places(runtime);
  const at = (
    project: string,
    id: string,
    fixture = '',
  ): { runtime: typeof runtime; id: string; path: string; fixture: string } => ({
    runtime,
    id,
    path: join(shared.home, '.claude/projects', project, `${id}.jsonl`),
    fixture: join(fixtures, fixture),
  });
  return lineFiles({
    runtime: runtimeOf({ HOME: shared.home, PATH: shared.bin }),
    shared,
    sessions: [
      at('-home-dev-demo', '246b28e2-f5d7-4c6f-9cee-22ae9ee57704', 'basic.jsonl'),
      at('-home-dev-demo', '74923cd1-f00e-491e-bfdf-873900d1d8b0', 'file-edit.jsonl'),
      at('-home-dev-elsewhere', '2b0f7a3e-6d0c-4a53-9f0d-2f6d6c1f9a11', 'crash-mid-tool.jsonl'),
    ],
    grown: join(fixtures, 'after-resume.jsonl'),
    words: ['Please create', 'Please delete'],
    garbled: at('-home-dev-demo', '3b0f7a3e-6d0c-4a53-9f0d-2f6d6c1f9a11'),
    line: (place, letters) => answer(`u${place}`, place === 0 ? null : `u${place - 1}`, letters),
    long: at('-home-dev-demo', '4b0f7a3e-6d0c-4a53-9f0d-2f6d6c1f9a11'),
  });
}

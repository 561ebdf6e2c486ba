import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { RuntimeScratch } from '../../../src/conformance/index.ts';
import { runtime as runtimeOf } from '../../../src/runtimes/codex/index.ts';
import { lineFiles } from './line-files.ts';
import { places } from './open.ts';

const fixtures = join(import.meta.dirname, '../fixtures/codex');
const runtime = 'codex' as const;

function fileIn(name: string): string {
  return join(fixtures, name, readdirSync(join(fixtures, name)).sort()[0] ?? '');
}

export function codex(): RuntimeScratch {
  const shared = places(runtime);
  const at = (file: string): { runtime: typeof runtime; id: string; path: string } => ({
    runtime,
    id: file.slice('rollout-2026-11-15T18-23-22-'.length, -'.jsonl'.length),
    path: join(shared.home, '.codex/sessions/2026/11/15', file),
  });
  const copyOf = (name: string) => ({ ...at(fileIn(name).split('/').at(-1) ?? ''), fixture: fileIn(name) });
  return lineFiles({
    runtime: runtimeOf({ HOME: shared.home, PATH: shared.bin }),
    shared,
    sessions: [copyOf('basic'), copyOf('file-edit'), copyOf('crash-mid-tool')],
    grown: fileIn('after-resume'),
    words: ['Please create', 'Please delete'],
    garbled: at('rollout-2026-11-15T19-00-00-01a1e073-1cec-7282-b3a4-ad9611184300.jsonl'),
    line: (place, text) => ({
      timestamp: '2026-11-15T19:00:00.000Z',
      ordinal: 1000 + place,
      type: 'response_item',
      payload: { type: 'message', role: 'assistant', content: [{ type: 'output_text', text }] },
    }),
    long: at('rollout-2026-11-15T20-00-00-01a1e073-1cec-7282-b3a4-ad9611184301.jsonl'),
  });
}

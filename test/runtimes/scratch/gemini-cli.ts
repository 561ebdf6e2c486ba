import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RuntimeScratch } from '../../../src/conformance/index.ts';
import { runtime as runtimeOf } from '../../../src/runtimes/gemini-cli/index.ts';
import { lineFiles } from './line-files.ts';
import { elsewhere, folder, places } from './open.ts';

const fixtures = join(import.meta.dirname, '../fixtures/gemini-cli');
const runtime = 'gemini-cli' as const;

export function geminiCli(): RuntimeScratch {
  const shared = places(runtime);
  const data = join(shared.home, '.gemini/tmp');
  for (const [project, root] of [
    ['demo', folder],
    ['elsewhere', elsewhere],
  ] as const) {
    mkdirSync(join(data, project), { recursive: true });
    writeFileSync(join(data, project, '.project_root'), root);
  }
  const at = (project: string, id: string, name: string, fixture = '') => ({
    runtime,
    id,
    path: join(data, project, 'chats', name),
    fixture: join(fixtures, fixture, name),
  });
  const basic = 'session-2026-11-15T18-23-25bdb493.jsonl';
  return lineFiles({
    runtime: runtimeOf({ HOME: shared.home, PATH: shared.bin }),
    shared,
    sessions: [
      at('demo', '25bdb493-c916-4d90-95ce-2fd5cf521f2a', basic, 'basic'),
      at(
        'demo',
        'a16488ef-09e6-4604-a3c3-6a49b4d2f890',
        'session-2026-11-15T18-54-a16488ef.jsonl',
        'file-edit',
      ),
      at(
        'elsewhere',
        '4da72d48-1f54-458d-93cf-8c38c1c0333a',
        'session-2026-11-15T18-48-4da72d48.jsonl',
        'crash-mid-tool',
      ),
    ],
    grown: join(fixtures, 'after-resume', basic),
    words: ['Please create', 'Please delete'],
    garbled: at('demo', '2026-11-15T19-00-aaaaaaaa', 'session-2026-11-15T19-00-aaaaaaaa.jsonl'),
    line: (place, content) => ({
      id: `m${place}`,
      timestamp: '2026-11-15T19:00:00.000Z',
      type: 'gemini',
      content,
    }),
    long: at('demo', 'bbbbbbbb', 'session-2026-11-15T20-00-bbbbbbbb.jsonl'),
  });
}

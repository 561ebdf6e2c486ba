import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { sentencesOf } from '../../src/core/reasoning/prose.ts';

/** Thousands of sentences by people about code, none like another. */
export function commentSentences(): string[] {
  const root = join(import.meta.dirname, '..', '..', 'src');
  const found = readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .toSorted()
    .flatMap((file) => [...readFileSync(join(root, file), 'utf8').matchAll(/^ *\/\*\* (.{30,300}) \*\/$/gm)])
    .flatMap(([, text = '']) => sentencesOf(text));
  return [...new Set(found)].filter((text) => text.endsWith('.'));
}

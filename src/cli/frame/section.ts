import { block } from './output.ts';

/** A title with what stands under it; nothing where there is nothing to say. */
export function section(title: string, lines: readonly string[] | undefined, indent = ''): string {
  if (lines === undefined || lines.length === 0) return '';
  if (lines.length === 1) return `${indent}${title}\n${block(lines[0] ?? '', `${indent}  `)}`;
  return `${indent}${title}\n${lines.map((text) => `${indent}  - ${block(text, `${indent}    `).trimStart()}`).join('\n')}`;
}

/**
 * Syntax colours, loaded when a diff is shown. The highlighter's own markup is never used: its tree of tokens is read, and the colours
 * become ranges of a line. Lines of one side are coloured together, so that a comment over many lines is one.
 */
import hljs from 'highlight.js/lib/core';
import bash from 'highlight.js/lib/languages/bash';
import go from 'highlight.js/lib/languages/go';
import json from 'highlight.js/lib/languages/json';
import python from 'highlight.js/lib/languages/python';
import rust from 'highlight.js/lib/languages/rust';
import typescript from 'highlight.js/lib/languages/typescript';
import yaml from 'highlight.js/lib/languages/yaml';
import type { DiffLine } from '../../../src/core/diff/parse.ts';
import type { Colour } from './pieces.ts';

const languages = { bash, go, json, python, rust, typescript, yaml };
for (const [name, language] of Object.entries(languages)) hljs.registerLanguage(name, language);

export type Language = keyof typeof languages;

/** A line longer than this is data, and takes long. */
const lineCharsMax = 2000;

export function colourLines(
  lines: readonly DiffLine[],
  language: Language,
): Map<DiffLine, readonly Colour[]> {
  const coloured = new Map<DiffLine, readonly Colour[]>();
  if (lines.some(({ text }) => text.length > lineCharsMax)) return coloured;
  const code = lines.map(({ text }) => text).join('\n');
  const { _emitter } = hljs.highlight(code, { language, ignoreIllegals: true });
  const perLine = rangesByLine((_emitter as unknown as { readonly rootNode: Token }).rootNode);
  for (const [n, line] of lines.entries()) coloured.set(line, perLine[n] ?? []);
  return coloured;
}

interface Token {
  readonly scope?: string;
  readonly children: readonly (Token | string)[];
}

function rangesByLine(root: Token): Colour[][] {
  const lines: Colour[][] = [[]];
  let at = 0;
  const walk = (node: Token | string, scope: string | undefined): void => {
    if (typeof node !== 'string') {
      for (const child of node.children) walk(child, node.scope ?? scope);
      return;
    }
    for (const [n, text] of node.split('\n').entries()) {
      if (n > 0) {
        lines.push([]);
        at = 0;
      }
      const from = at;
      at += text.length;
      // `title.function` is coloured as `title`.
      if (scope !== undefined && at > from)
        lines.at(-1)?.push({ from, to: at, scope: scope.split('.')[0] ?? '' });
    }
  };
  walk(root, undefined);
  return lines;
}

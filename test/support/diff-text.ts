import type { ParsedDiff } from '../../src/core/diff/parse.ts';

/** What was parsed, as the text that it was: to the character. */
export function diffText({ before, files, ended }: ParsedDiff): string {
  const lines = [...before];
  for (const { head, hunks, rest } of files) {
    lines.push(...head);
    for (let n = 0; n <= hunks.length; n += 1) {
      for (const { after, text } of rest) if (after === n) lines.push(text);
      const hunk = hunks[n];
      if (hunk === undefined) continue;
      lines.push(hunk.header);
      for (const { mark, text, noEnd } of hunk.lines)
        lines.push(`${mark}${text}`, ...(noEnd === undefined ? [] : [noEnd]));
    }
  }
  return lines.length === 0 ? '' : `${lines.join('\n')}${ended ? '\n' : ''}`;
}

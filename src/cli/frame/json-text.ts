import { unmarked } from '../../core/base/sanitize.ts';

/**
 * JSON that is safe to look at: what a terminal would obey or hide, or a model would, is written as an escape, which means the same to
 * a parser. Control characters below U+0020 are escaped by JSON itself.
 */
const hidden =
  /[\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]|\udb40[\udc00-\udfff]/g;

export function jsonText(value: unknown, indent = 0): string {
  return unmarked(JSON.stringify(value, null, indent).replace(hidden, escaped), escaped);
}

function escaped(text: string): string {
  let written = '';
  for (let i = 0; i < text.length; i += 1)
    written += `\\u${text.charCodeAt(i).toString(16).padStart(4, '0')}`;
  return written;
}

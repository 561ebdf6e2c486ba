/**
 * A text without the characters of a set that it ends in. A pattern such as `/\s+$/` tries each place in a long run of them that stands
 * elsewhere in the text, and so takes a time that grows with the square of the run.
 */
export function withoutEnd(text: string, chars: string): string {
  let end = text.length;
  while (end > 0 && chars.includes(text.charAt(end - 1))) end -= 1;
  return text.slice(0, end);
}

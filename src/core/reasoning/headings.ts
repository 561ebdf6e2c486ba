/**
 * What a user set under a heading of a contract: "## Acceptance", "**Out of scope**", "Constraints:" with a list below, or "Out of scope:
 * the old pages" on one line. The headings are those of contract files (`contract-markdown.ts`); what stands in a fence or is quoted
 * was not said by the user who pasted it.
 */
import { fieldUnder, itemText } from '../files/contract-markdown.ts';

export const statedFields = ['acceptance', 'constraints', 'nonGoals'] as const;
export type StatedField = (typeof statedFields)[number];

export interface StatedTerm {
  readonly field: StatedField;
  readonly text: string;
}

/** Longer than people write terms; what is longer was pasted, or is a plan that an agent wrote. */
const textCharsMax = 2000;
const titleCharsMax = 120;

export function statedIn(message: string): StatedTerm[] {
  if (message.length > textCharsMax) return [];
  const found: StatedTerm[] = [];
  let field: StatedField | null = null;
  let isFenced = false;
  for (const line of message.split('\n')) {
    if (/^\s{0,3}(?:```|~~~)/.test(line)) isFenced = !isFenced;
    if (isFenced || /^\s{0,3}(?:>|```|~~~)/.test(line) || line.trim() === '') continue;
    const heading = headingIn(line);
    if (heading !== null) {
      ({ field } = heading);
      if (field !== null && heading.rest !== '') found.push({ field, text: heading.rest });
      continue;
    }
    if (field === null) continue;
    const item = itemText(line);
    if (item !== undefined) found.push({ field, text: item });
    // A paragraph ends the list; a line that is indented goes on with it.
    else if (!/^\s/.test(line)) field = null;
  }
  return found;
}

interface Heading {
  /** Null for a heading that means nothing in a contract: it ends what stood before. */
  readonly field: StatedField | null;
  readonly rest: string;
}

const marked = /^\s{0,3}#{1,6}\s+(\S.*?)\s*:?\s*#*$|^\s*\*\*([^*]{2,60}?):?\*\*:?\s*$/;
const labelled = /^\s{0,3}\**([A-Za-z][A-Za-z -]{2,30}?)\**:\**(?:\s+(\S.*))?$/;

function headingIn(line: string): Heading | null {
  const title = line.length > titleCharsMax ? null : marked.exec(line);
  if (title !== null) return { field: stated(title[1] ?? title[2] ?? ''), rest: '' };
  const label = labelled.exec(line);
  const field = label === null ? null : stated(label[1] ?? '');
  return field === null ? null : { field, rest: label?.[2]?.trim() ?? '' };
}

function stated(words: string): StatedField | null {
  const field = fieldUnder(words);
  return statedFields.find((one) => one === field) ?? null;
}

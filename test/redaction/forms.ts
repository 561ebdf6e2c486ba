/** The forms in which a secret may stand in what is captured. */
import type { Kind, Sample } from './kinds.ts';

export interface Form {
  readonly name: string;
  /** Recall is promised for these; the others are measured. */
  readonly required: boolean;
  readonly write: (sample: Sample, kind: Kind) => string;
  /** Whether a secret can still be read from the outcome. */
  readonly shows: (outcome: string, secret: string) => boolean;
}

/** The end of a key's base64 is short enough to occur by chance. */
const charsTold = 16;

function contains(outcome: string, secret: string): boolean {
  return secret.length >= 12 && outcome.includes(secret.slice(0, charsTold));
}

function decodes(outcome: string, secret: string): boolean {
  return contains(outcome, secret) || contains(JSON.stringify(JSON.parse(outcome)), secret);
}

export const forms: readonly Form[] = [
  {
    name: 'plain text',
    required: true,
    write: ({ text }) => `They gave us this one:\n${text}\nand it should work.`,
    shows: contains,
  },
  {
    name: 'escaped in JSON',
    required: true,
    // The first letter as an escape, slashes escaped, and line breaks as JSON writes them.
    write: ({ text, secrets }) => {
      let json = JSON.stringify({ role: 'tool', content: `It printed\n${text}\nand ended.`, code: 0 });
      for (const secret of secrets) {
        const written = JSON.stringify(secret).slice(1, -1);
        json = json.replace(written, () => `\\u00${written.charCodeAt(0).toString(16)}${written.slice(1)}`);
      }
      return json.replaceAll('/', '\\/');
    },
    shows: decodes,
  },
  {
    name: 'assigned in a diff',
    required: true,
    write: ({ text }, { variable }) =>
      `@@ -1,2 +1,3 @@\n first\n+export ${variable}="${text.replaceAll('\n', '\n+')}"\n last`,
    shows: contains,
  },
  {
    name: 'in a sentence',
    required: false,
    write: ({ text }) => `Use ${text} for now, said Ben.`,
    shows: contains,
  },
  {
    name: 'in JSON in JSON in a transcript',
    required: false,
    write: ({ text }) =>
      JSON.stringify({ content: [{ text: JSON.stringify({ stdout: JSON.stringify({ value: text }) }) }] }),
    shows: decodes,
  },
  {
    name: 'removed in a diff',
    required: false,
    write: ({ text }) => `@@ -1,9 +1 @@\n-${text.replaceAll('\n', '\n-')}\n last`,
    shows: contains,
  },
  {
    name: 'in a block of YAML',
    required: false,
    write: ({ text }) => `data:\n  value: |\n    ${text.replaceAll('\n', '\n    ')}\n  other: 1`,
    shows: contains,
  },
  {
    name: 'in a URL',
    required: false,
    write: ({ text }) => `GET https://app.test/set?next=${encodeURIComponent(text)}&page=2`,
    shows: (outcome, secret) => contains(outcome, secret) || contains(decodeURIComponent(outcome), secret),
  },
  {
    name: 'in base64',
    required: false,
    write: ({ text }) => `  value: ${Buffer.from(text).toString('base64')}\n`,
    shows: (outcome, secret) =>
      contains(Buffer.from(outcome.replace(/^ *value: /, ''), 'base64').toString('latin1'), secret),
  },
  {
    name: 'in code',
    required: false,
    write: ({ text }) => `const value = ${JSON.stringify(text)}; // ${text.length}`,
    shows: contains,
  },
];

/** Sessions that are all words: people who explain at length, and agents who answer at length. Hardly a sentence is said twice. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Step, Transcript } from '../../src/core/transcript/step.ts';
import { Random } from '../../test/redaction/kinds.ts';
import { sentencesIn } from '../../src/core/reasoning/sentences.ts';
import { longTranscript } from './long-session.ts';

/** Of each prompt and each answer. */
const messageChars = 1500;
const paragraphChars = 500;
const beginning = '';

/** Prompts and answers by turns, with words that follow each other in the comments of this repository. */
export function proseTranscript(bytes: number): Transcript {
  const next = chain();
  const random = new Random('prose');
  const sentence = (): string => {
    const words: string[] = [];
    for (let word = beginning; words.length < 60;) {
      const after = next.get(word) ?? [];
      word = after[random.below(after.length)] ?? beginning;
      if (word === beginning) break;
      words.push(word);
    }
    return words.join(' ');
  };
  const message = (): string => {
    const paragraphs = [''];
    for (let size = 0; size < messageChars;) {
      const said = sentence();
      const last = paragraphs.at(-1) ?? '';
      if (last.length > paragraphChars) paragraphs.push(said);
      else paragraphs[paragraphs.length - 1] = last === '' ? said : `${last} ${said}`;
      size += said.length + 1;
    }
    return paragraphs.join('\n\n');
  };
  const steps: Step[] = [];
  // The last prompt has no answer: a session that died.
  for (let size = 0; size < bytes || steps.length % 2 === 0;) {
    const id = steps.length + 1;
    const text = message();
    steps.push({ id, source: id % 2 === 1 ? 'user' : 'agent', at: id * 1000, text, record: id - 1 });
    size += text.length;
  }
  return { ...longTranscript(0), steps };
}

/** Which words follow a word: the first words of sentences follow the empty one, and it follows their last. */
function chain(): ReadonlyMap<string, readonly string[]> {
  const next = new Map<string, string[]>();
  for (const text of commentSentences()) {
    let before = beginning;
    for (const word of [...text.split(/\s+/).filter((each) => each !== ''), beginning]) {
      const after = next.get(before) ?? [];
      after.push(word);
      next.set(before, after);
      before = word;
    }
  }
  return next;
}

/** Thousands of sentences by people about code, none like another. */
function commentSentences(): string[] {
  const root = join(import.meta.dirname, '../..', 'src');
  const found = readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .toSorted()
    .flatMap((file) => [...readFileSync(join(root, file), 'utf8').matchAll(/^ *\/\*\* (.{30,300}) \*\/$/gm)])
    .flatMap(([, text = '']) => sentencesIn(text));
  return [...new Set(found)].filter((text) => text.endsWith('.'));
}

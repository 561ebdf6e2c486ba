/** What was handed in as plain text: nothing says who speaks in it, so it is told as it stands, block by block. */
import type { Story } from '../transcript/story.ts';
import { asData, type BriefingItem } from './item.ts';

const blockChars = 1000;
/** More than the largest briefing holds. */
const newestChars = 256 * 1024;

/** The newest first. */
export function textItems({ steps, sessions }: Story): BriefingItem[] {
  return steps
    .flatMap(({ given, ref, session, aside }): BriefingItem[] =>
      given?.by !== 'system' || aside === 'rewritten' || sessions[session]?.facts.runtime !== 'unknown'
        ? []
        : blocksOf(given.text).map((text, i) => ({
            section: 'handed',
            label: given.from,
            text: asData(text),
            names: [`s${ref}`],
            place: ref + i / 1_000_000,
          })),
    )
    .toReversed();
}

/** Paragraphs, and pieces of those that are long. Of a text beyond measure all but the newest is one block. */
function blocksOf(text: string): string[] {
  const blocks = text.length > newestChars ? [text.slice(0, 2 * blockChars)] : [];
  let block = '';
  const end = (): void => {
    if (block.trim() !== '') blocks.push(block.toWellFormed());
    block = '';
  };
  for (const line of text.slice(-newestChars).split('\n')) {
    if (line.trim() === '' || block.length + line.length > blockChars) end();
    let rest = line;
    for (; rest.length > blockChars; rest = rest.slice(blockChars)) {
      block = rest.slice(0, blockChars);
      end();
    }
    block += `${rest} `;
  }
  end();
  return blocks;
}

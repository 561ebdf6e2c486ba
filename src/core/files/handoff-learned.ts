/** The part of HANDOFF.md that tells what was written down on the way and stands in no claim above it. Not read back. */
import { learnedItems } from '../briefing/from-learned.ts';
import { claimItems } from '../briefing/from-packet.ts';
import { sameWords, type BriefingItem } from '../briefing/item.ts';
import type { Learned } from '../packet/learned.ts';
import type { Packet } from '../packet/packet.ts';

/** More than this is for the tool, which has all of it. */
const linesMax = 40;
const lineChars = 600;

const words: Partial<Record<BriefingItem['section'], string>> = {
  decisions: 'Decided',
  deadEnds: 'Ruled out',
};

export function learnedPart(packet: Packet, learned: Learned): string {
  const seen = new Set(claimItems(packet).map(({ text }) => sameWords(text)));
  const lines: string[] = [];
  for (const { section, label = words[section], text, names } of learnedItems(learned, packet)) {
    const key = sameWords(`${label ?? ''} ${text}`);
    if (seen.has(sameWords(text)) || seen.has(key)) continue;
    seen.add(key);
    const shown = text.length > lineChars ? `${text.slice(0, lineChars)}…` : text;
    const tail = names.filter((name) => name !== 'unverified').join(', ');
    lines.push(`- ${label === undefined ? '' : `${label}: `}${shown}${tail === '' ? '' : ` [${tail}]`}`);
  }
  if (lines.length === 0) return '';
  const left = lines.length - linesMax;
  const more = left > 0 ? `\n- and ${left} older: staffetta history ${packet.task}` : '';
  return `## Written down on the way\n\n${lines.slice(0, linesMax).join('\n')}${more}`;
}

/**
 * The way back from HANDOFF.md: the claims of a file that the tool or a person wrote. Nothing is lost in silence: what stands where
 * nobody reads it, or is taken for something else than it says, is named with its line.
 *
 *   - sections are known by their words; the same section twice is read as one; a section that is missing is a claim that is not made
 *   - a ticked box under what is left is done, an empty one under what is done is left
 *   - the first of the next steps is the next action, where no other is named
 *   - text below the title is the summary, where there is no other
 *   - text below a heading that means nothing here is a note
 */
import { counted } from '../base/counted.ts';
import { isAddress } from '../task/address.ts';
import {
  headings,
  placedLines,
  type HeadingPlace,
  type PlacedLine,
  type ReadSection,
} from './handoff-headings.ts';
import { readItems, type ReadItem } from './handoff-items.ts';
import { openingLine, unsealedLines } from './handoff-markdown.ts';
import { Claims } from '../packet/packet.ts';
import { parse } from '../base/parse.ts';
import { cut } from '../base/text.ts';
import { withoutEnd } from '../base/without-end.ts';

export interface HandoffRemark {
  /** Of the file, from 1. */
  readonly line: number;
  readonly text: string;
  /** What stands there is in no claim. */
  readonly lost: boolean;
}

export interface HandoffReading {
  readonly claims: Claims;
  /** Lines below headings that mean nothing here, each after its heading. */
  readonly notes: readonly string[];
  /** In the order of the file. */
  readonly remarks: readonly HandoffRemark[];
}

export function readHandoff(source: string): HandoffReading {
  const lines = placedLines(unsealedLines(source));
  const remarks: HandoffRemark[] = [...strange(lines)];
  const reader = new Reader(lines, remarks);
  const claims = parse(Claims, defined(reader.claims()), 'HANDOFF.md');
  return {
    claims,
    notes: noted(lines),
    remarks: remarks.sort((a, b) => a.line - b.line),
  };
}

class Reader {
  readonly #bodies = new Map<ReadSection, PlacedLine[]>();
  readonly #opening: readonly PlacedLine[];
  readonly #remarks: HandoffRemark[];

  constructor(lines: readonly PlacedLine[], remarks: HandoffRemark[]) {
    this.#remarks = remarks;
    for (const line of lines) {
      if (line.place.kind !== 'claims') continue;
      const { section } = line.place;
      const body = this.#bodies.get(section);
      if (body === undefined) this.#bodies.set(section, [line]);
      else body.push(line);
    }
    this.#opening = lines.filter(
      ({ place, opens, text }) => place.kind === 'opening' && !opens && !openingLine.test(text),
    );
  }

  claims(): Record<string, unknown> {
    const lists = this.#work();
    const [first, ...others] = lists.steps;
    const said = this.#prose('next');
    const remaining = [...(said === undefined ? others : lists.steps), ...(lists.remaining ?? [])];
    return {
      summary: this.#summary(),
      done: lists.done?.map(toClaim),
      doing: lists.doing?.map(toClaim),
      remaining: lists.remaining === undefined && remaining.length === 0 ? undefined : remaining.map(toClaim),
      decisions: this.#items('decisions')?.map(({ because, rejected, ...item }) =>
        defined({ ...textOf(item), why: because, rejected }),
      ),
      failed: this.#items('failed')?.map((item) => this.#failed(item)),
      blockers: this.#items('blockers')?.map(toClaim),
      questions: this.#items('questions')?.map((item) => this.#question(item)),
      next: said ?? (first === undefined ? undefined : wholeText(first)),
      command: this.#prose('command'),
    };
  }

  #items(section: ReadSection): ReadItem[] | undefined {
    const body = this.#bodies.get(section);
    return body === undefined ? undefined : readItems(body);
  }

  /** What is done and what is not, by the boxes rather than by the heading. */
  #work(): { done?: ReadItem[]; doing?: ReadItem[]; remaining?: ReadItem[]; steps: ReadItem[] } {
    const ticked: ReadItem[] = [];
    const unticked: ReadItem[] = [];
    const rest = (section: ReadSection, movedBox: boolean): ReadItem[] | undefined =>
      this.#items(section)?.filter((item) => {
        if (item.ticked !== movedBox) return true;
        (movedBox ? ticked : unticked).push(item);
        const taken = movedBox
          ? 'Its box is ticked: it is taken as done'
          : 'Its box is empty: it is taken as remaining';
        this.#remark(item.line, `${taken}, though it stands elsewhere.`);
        return false;
      });
    const done = rest('done', false);
    const doing = rest('doing', true);
    const steps = rest('steps', true) ?? [];
    const remaining = rest('remaining', true);
    return {
      ...(done === undefined && ticked.length === 0 ? {} : { done: [...(done ?? []), ...ticked] }),
      ...defined({ doing }),
      ...(remaining === undefined && unticked.length === 0
        ? {}
        : { remaining: [...(remaining ?? []), ...unticked] }),
      steps,
    };
  }

  /** The reason is asked for on a line of its own; people write it into the same line. */
  #failed({ because, ...item }: ReadItem): Record<string, unknown> {
    const { text, evidence } = textOf(item);
    if (because !== undefined) return defined({ what: text, why: because, evidence });
    const [, what, why] =
      /^(.*?\S)(?:,?\s+because:?\s+|\s+[—–-]+\s+|:\s+|;\s+|\n\s*(?:[-*+]\s+)?)(\S.*)$/s.exec(text) ?? [];
    if (what !== undefined && why !== undefined) return defined({ what, why, evidence });
    this.#remark(
      item.line,
      'No reason stands with what was ruled out. Write one below it: "  - because: …".',
    );
    return defined({ what: text, why: 'No reason was given.', evidence });
  }

  #question({ owner, ...item }: ReadItem): Record<string, unknown> {
    if (owner === undefined || isAddress(owner)) return defined({ ...textOf(item), owner });
    this.#remark(
      item.line,
      `"${owner}" is no address, so the question has no owner. Write agent:NAME, lane:LANE, runtime:NAME or anyone.`,
    );
    return defined(textOf({ ...item, owner }));
  }

  #summary(): string | undefined {
    const said = this.#prose('summary');
    const first = this.#opening.find(({ text }) => text.trim() !== '');
    if (first === undefined) return said;
    if (said === undefined && this.#bodies.size > 0) return proseOf(this.#opening);
    this.#remark(first.number, 'It stands before the first heading of claims and was not read.', true);
    return said;
  }

  #prose(section: 'summary' | 'next' | 'command'): string | undefined {
    const body = this.#bodies.get(section);
    const text = body === undefined ? undefined : proseOf(body);
    return section === 'command' && text !== undefined ? withoutMarks(text, body ?? []) : text;
  }

  #remark(line: number, text: string, lost = false): void {
    this.#remarks.push({ line, text, lost });
  }
}

/** Indented by four where the tool wrote it. A single item of a list is read without its mark. */
function proseOf(body: readonly PlacedLine[]): string | undefined {
  const said = body.filter(({ text, opens }) => !opens && text.trim() !== '');
  const only =
    said.length === 1 ? /^ ?(?:[-*+•]|1[.)])\s+(?:\[ \]\s+)?(\S.*)$/.exec(said[0]?.text ?? '') : null;
  if (only?.[1] !== undefined) return only[1];
  const lines = body.map(({ text: line, opens }) => (opens ? '' : line.replace(/^(?: {1,4}|\t)/, '')));
  const text = withoutEnd(lines.join('\n').replace(/^\n+/, ''), '\n');
  return text === '' ? undefined : text;
}

/** A command without the fence or the code marks that a person put around it. */
function withoutMarks(text: string, body: readonly PlacedLine[]): string {
  const isOurs = body.every(
    ({ text: line, opens }) => opens || line.trim() === '' || line.startsWith('    '),
  );
  if (isOurs) return text;
  return (
    /^(?:```|~~~)[^\n]*\n(.*)\n(?:```|~~~)\s*$/s.exec(text)?.[1] ?? /^`([^`]+)`$/.exec(text)?.[1] ?? text
  );
}

/** How many lines stand below each heading. */
function linesBelow(lines: readonly PlacedLine[]): ReadonlyMap<HeadingPlace, number> {
  const below = new Map<HeadingPlace, number>();
  for (const { place, opens, text } of lines)
    if (!opens && text.trim() !== '') below.set(place, (below.get(place) ?? 0) + 1);
  return below;
}

function noted(lines: readonly PlacedLine[]): string[] {
  const below = linesBelow(lines);
  return lines
    .filter(({ place, text }) => place.kind === 'strange' && below.has(place) && text.trim() !== '')
    .map(({ text }) => text);
}

/** One remark for each heading that nobody knows, with what stands below it. */
function strange(lines: readonly PlacedLine[]): HandoffRemark[] {
  const openers = lines.filter(({ opens }) => opens);
  const below = linesBelow(lines);
  return openers.flatMap(({ place }, i) => {
    // The line below a heading that is underlined opens the same place.
    if (place.kind !== 'strange' || openers[i - 1]?.place === place) return [];
    const after = openers[i + 1]?.place === place ? openers[i + 2] : openers[i + 1];
    const left = below.get(place) ?? 0;
    if (left === 0 && isOnlyAbove(place, after?.place)) return [];
    const what =
      left === 0 ? 'it was not read' : `what stands below it is kept as a note (${counted(left, 'line')})`;
    return [
      {
        line: place.line,
        text: `"${cut(place.heading, 60)}" is no heading of claims: ${what}. Use one of: ${Object.values(headings).join(', ')}.`,
        lost: left === 0,
      },
    ];
  });
}

/** "Status" above "Done" and "Remaining" only holds them together. */
function isOnlyAbove(
  { level }: HeadingPlace & { readonly kind: 'strange' },
  after: HeadingPlace | undefined,
): boolean {
  return after !== undefined && after.kind !== 'opening' && after.level > level;
}

/** Fields that the section has no place for stay in the text. */
function textOf({ text, evidence, because, rejected, owner }: Partial<ReadItem>): {
  readonly text: string;
  readonly evidence: readonly string[] | undefined;
} {
  const more = [
    ...(because === undefined ? [] : [`- because: ${because}`]),
    ...(rejected ?? []).map((line) => `- rejected: ${line}`),
    ...(owner === undefined ? [] : [`- owner: ${owner}`]),
  ];
  return { text: [text ?? '', ...more].filter((part) => part !== '').join('\n'), evidence };
}

function toClaim(item: ReadItem): unknown {
  const { text, evidence } = textOf(item);
  return evidence === undefined ? text : { text, evidence };
}

/** Where a claim can be nothing but a text. */
function wholeText(item: ReadItem): string {
  const { text, evidence } = textOf(item);
  return evidence === undefined ? text : `${text} [${evidence.join(', ')}]`;
}

function defined(given: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
}

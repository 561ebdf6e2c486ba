/**
 * HANDOFF.md: a packet for people and for tools that only read files, and the way back. What the agent claims stands under fixed
 * headings and is read back when the file was edited; contract and facts are shown, and never read back.
 *
 *   - a list item is one claim; further lines of it are indented by two spaces
 *   - evidence ids stand in square brackets at the end: `[j12, r1]`; `[]` ends a text that would look as if it had some
 *   - "because", "rejected" and "owner" stand on lines of their own inside an item
 *
 * The last line names the digest of the lines before it, and that of the part which is not read back: by them one can tell whether
 * a file was edited, and where.
 */
import type { Contract } from './contract.ts';
import { digestOf, type Digest } from './digest.ts';
import { StaffettaError } from './error.ts';
import { factsPart } from './handoff-facts.ts';
import { Claims, type Claim, type Packet } from './packet.ts';
import { parse } from './parse.ts';
import { sanitize } from './sanitize.ts';

const evidenceTail = / \[((?:(?:[jrsd]\d{1,9}|file:[^\],]+)(?:, )?)*)\]$/;

interface Item {
  readonly text: string;
  readonly evidence?: readonly string[] | undefined;
  readonly because?: string | undefined;
  readonly rejected?: readonly string[] | undefined;
  readonly owner?: string | undefined;
}

const headings = {
  summary: 'Summary',
  done: 'Done',
  doing: 'In progress',
  remaining: 'Remaining',
  decisions: 'Decisions',
  failed: 'Ruled out',
  blockers: 'Blockers',
  questions: 'Questions',
  next: 'Next action',
  command: 'About to run',
} as const;
type Section = keyof typeof headings;

export function writeHandoff(packet: Packet, contract: Contract, digest: Digest): string {
  const { claims } = packet;
  const parts = [
    `# Handoff: ${contract.title}`,
    `Task ${packet.task}, generation ${packet.generation}, sealed by ${packet.from.name} (${packet.trigger}).\nPacket ${digest}.`,
    `## Contract\n\n${indented(contract.goal, '> ')}`,
    bullets('Accepted when', contract.acceptance),
    bullets('Constraints', contract.constraints),
    bullets('Not part of it', contract.nonGoals),
    prose('summary', claims.summary),
    list('done', claims.done?.map(fromClaim)),
    list('doing', claims.doing?.map(fromClaim)),
    list('remaining', claims.remaining?.map(fromClaim)),
    list(
      'decisions',
      claims.decisions?.map(({ text, why, rejected, evidence }) => ({
        text,
        because: why,
        rejected,
        evidence,
      })),
    ),
    list(
      'failed',
      claims.failed?.map(({ what, why, evidence }) => ({ text: what, because: why, evidence })),
    ),
    list('blockers', claims.blockers?.map(fromClaim)),
    list('questions', claims.questions),
    prose('next', claims.next),
    prose('command', claims.command),
    bullets(
      'Artefacts',
      packet.artefacts.map(({ path, role, why }) =>
        [path, role, why].filter((part) => part !== undefined).join(' — '),
      ),
    ),
    factsPart(packet, contract),
  ];
  // People read it in a terminal, agents as it is: nothing in it may be invisible or steer either.
  return withSeal(sanitize(`${parts.filter((part) => part !== '').join('\n\n')}\n`));
}

const sealLine = /\n<!-- staffetta (sha256:[0-9a-f]{64}) facts (sha256:[0-9a-f]{64}) -->\n?$/;

function withSeal(body: string): string {
  return `${body}\n<!-- staffetta ${digestOf(body)} facts ${factsDigest(body)} -->\n`;
}

export interface HandoffEdits {
  /** It was written by the tool, whatever became of it since. */
  readonly ours: boolean;
  readonly edited: boolean;
  /** Contract, artefacts or facts were changed, or there is no telling. They are not read back. */
  readonly factsEdited: boolean;
}

export function handoffEdits(source: string): HandoffEdits {
  const text = source.replaceAll('\r\n', '\n');
  const seal = sealLine.exec(text);
  if (seal === null) return { ours: false, edited: true, factsEdited: true };
  const body = text.slice(0, seal.index);
  return { ours: true, edited: digestOf(body) !== seal[1], factsEdited: factsDigest(body) !== seal[2] };
}

/** Of everything that is not read back. */
function factsDigest(body: string): Digest {
  let isClaim = false;
  const kept = body.split('\n').filter((line) => {
    const heading = headingOf(line);
    if (heading !== undefined) isClaim = heading.section !== undefined;
    return !isClaim && line.trim() !== '';
  });
  return digestOf(kept.join('\n'));
}

/** A heading, and the claims that stand under it if it is one of ours. */
function headingOf(line: string): { readonly section: Section | undefined } | undefined {
  const [, level, words] = /^(#{1,3}) (.+?)\s*$/.exec(line) ?? [];
  if (words === undefined) return undefined;
  const section = (Object.keys(headings) as Section[]).find(
    (name) => headings[name].toLowerCase() === words.toLowerCase(),
  );
  return { section: level === '##' ? section : undefined };
}

function fromClaim(claim: Claim): Item {
  return typeof claim === 'string' ? { text: claim } : claim;
}

function indented(text: string, indent: string): string {
  return text
    .split('\n')
    .map((line) => `${indent}${line}`.trimEnd())
    .join('\n');
}

function bullets(title: string, lines: readonly string[] | undefined): string {
  if (lines === undefined || lines.length === 0) return '';
  return `### ${title}\n\n${lines.map((line) => `- ${indented(line, '  ').trimStart()}`).join('\n')}`;
}

/** Indented, so that no line of it can be taken for a heading. */
function prose(section: Section, text: string | undefined): string {
  return text === undefined ? '' : `## ${headings[section]}\n\n${indented(text, '    ')}`;
}

function list(section: Section, items: readonly Item[] | undefined): string {
  if (items === undefined) return '';
  return `## ${headings[section]}\n\n${items.map(writeItem).join('\n')}`.trimEnd();
}

function writeItem({ text, evidence, because, rejected, owner }: Item): string {
  const tail =
    evidence === undefined
      ? evidenceTail.test(` ${text.split('\n').at(-1) ?? ''}`)
        ? ' []'
        : ''
      : ` [${evidence.join(', ')}]`;
  const more = [
    ...(because === undefined ? [] : [field('because', because)]),
    ...(rejected ?? []).map((line) => field('rejected', line)),
    ...(owner === undefined ? [] : [field('owner', owner)]),
  ];
  const body = `${text}${tail}`.replaceAll(/^(\\*- (?:because|rejected|owner): )/gm, '\\$1');
  return [`- ${indented(body, '  ').trimStart()}`, ...more].join('\n');
}

function field(name: string, text: string): string {
  return `  - ${name}: ${indented(text, '    ').trimStart()}`;
}

/** The claims of a HANDOFF.md, as written or as edited. Sections that are missing are claims that are not made. */
export function readHandoff(source: string): Claims {
  const bodies = sectionBodies(source);
  const items = (section: Section): Item[] | undefined =>
    bodies.has(section) ? readItems(bodies.get(section) ?? []) : undefined;
  const words = (section: Section): string | undefined =>
    bodies.has(section) ? readProse(bodies.get(section) ?? []) : undefined;
  const claims = {
    summary: words('summary'),
    done: items('done')?.map(toClaim),
    doing: items('doing')?.map(toClaim),
    remaining: items('remaining')?.map(toClaim),
    decisions: items('decisions')?.map(({ text, because, rejected, evidence }) =>
      defined({ text, why: because, rejected, evidence }),
    ),
    failed: items('failed')?.map(({ text, because, evidence }) =>
      defined({ what: text, why: because, evidence }),
    ),
    blockers: items('blockers')?.map(toClaim),
    questions: items('questions')?.map(({ text, owner, evidence }) => defined({ text, owner, evidence })),
    next: words('next'),
    command: words('command'),
  };
  return parse(Claims, defined(claims), 'HANDOFF.md');
}

function toClaim({ text, evidence }: Item): unknown {
  return evidence === undefined ? text : { text, evidence };
}

function defined(given: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
}

function sectionBodies(source: string): Map<Section, string[]> {
  const bodies = new Map<Section, string[]>();
  let body: string[] | undefined;
  for (const line of source.replace(sealLine, '\n').split(/\r?\n/)) {
    const heading = headingOf(line);
    if (heading === undefined) {
      body?.push(line);
      continue;
    }
    const { section } = heading;
    body = section === undefined ? undefined : [];
    if (section === undefined || body === undefined) continue;
    if (bodies.has(section))
      throw new StaffettaError('invalid-input', `HANDOFF.md has two sections "${headings[section]}".`);
    bodies.set(section, body);
  }
  return bodies;
}

function readProse(body: readonly string[]): string | undefined {
  const text = body
    .map((line) => line.replace(/^ {1,4}/, ''))
    .join('\n')
    .replace(/^\n+|\n+$/g, '');
  return text === '' ? undefined : text;
}

function readItems(body: readonly string[]): Item[] {
  const items: { lines: string[]; fields: { name: string; lines: string[] }[] }[] = [];
  for (const line of body) {
    const started = /^[-*] (.*)$/.exec(line)?.[1];
    const named = /^ {2}- (because|rejected|owner): (.*)$/.exec(line);
    const item = items.at(-1);
    if (started !== undefined) items.push({ lines: [started], fields: [] });
    else if (item === undefined) {
      if (line.trim() !== '') items.push({ lines: [line.trim()], fields: [] });
    } else if (named?.[1] !== undefined) item.fields.push({ name: named[1], lines: [named[2] ?? ''] });
    else
      (item.fields.at(-1)?.lines ?? item.lines).push(
        line.replace(item.fields.length > 0 ? /^ {1,4}/ : /^ {1,2}/, ''),
      );
  }
  return items.map(({ lines, fields }) => {
    const all = (name: string): string[] =>
      fields.filter((one) => one.name === name).map((one) => joined(one.lines));
    // A line of the text that looks like a field was written with a backslash.
    const written = joined(lines).replaceAll(/^\\(\\*- (?:because|rejected|owner): )/gm, '$1');
    const tail = evidenceTail.exec(written);
    const evidence = tail?.[1] === undefined || tail[1] === '' ? undefined : tail[1].split(', ');
    const rejected = all('rejected');
    return {
      text: tail === null ? written : written.slice(0, tail.index),
      evidence,
      because: all('because')[0],
      rejected: rejected.length === 0 ? undefined : rejected,
      owner: all('owner')[0],
    };
  });
}

function joined(lines: readonly string[]): string {
  return lines.join('\n').replace(/\n+$/, '');
}

/**
 * HANDOFF.md: the briefing, and behind it the packet as people and tools that only read files need it. What the agent claims stands under fixed headings and is read
 * back when the file was edited (handoff-read.ts); contract and facts are shown, and never read back.
 *
 *   - a list item is one claim; further lines of it are indented by two spaces
 *   - evidence ids stand in square brackets at the end: `[j12, r12]`; `[]` ends a text that would look as if it had some
 *   - "because", "rejected" and "owner" stand on lines of their own inside an item
 *   - a backslash stands before words of a text that would be read as one of these, or as a box to tick
 *
 * The last line names the digest of the lines before it, and that of the part which is not read back: by them one can tell whether
 * a file was edited, and where.
 */
import { addedLines, addedTitle, type StandingContract } from '../contract/added-terms.ts';
import type { Contract } from '../contract/contract.ts';
import { digestOf, type Digest } from '../journal/digest.ts';
import { isEmergency } from '../packet/emergency.ts';
import { askFirst, emergencyWords, missingIn } from '../packet/missing.ts';
import { factsPart } from './handoff-facts.ts';
import { learnedPart } from './handoff-learned.ts';
import { headings, packetTitle, placedLines, type Section } from './handoff-headings.ts';
import type { Learned } from '../packet/learned.ts';
import type { Claim, Packet } from '../packet/packet.ts';
import { sanitize } from '../base/sanitize.ts';

export interface MarkdownItem {
  readonly text: string;
  readonly evidence?: readonly string[] | undefined;
  readonly because?: string | undefined;
  readonly rejected?: readonly string[] | undefined;
  readonly owner?: string | undefined;
}

export function writeHandoff(
  packet: Packet,
  contract: StandingContract,
  digest: Digest,
  { learned, briefing = '' }: { readonly learned?: Learned; readonly briefing?: string } = {},
): string {
  const { claims } = packet;
  const parts = [
    `${packetTitle}${contract.title}`,
    `Task ${packet.task}, generation ${packet.generation}, sealed by ${packet.from.name} (${packet.trigger}).\nPacket ${digest}.`,
    emergencyPart(packet, contract),
    `## Contract\n\n${indented(contract.goal, '> ')}`,
    bullets('Accepted when', contract.acceptance),
    bullets('Constraints', contract.constraints),
    bullets('Not part of it', contract.nonGoals),
    bullets(addedTitle, addedLines(contract)),
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
    learned === undefined ? '' : learnedPart(packet, learned),
    factsPart(packet, contract),
  ];
  // People read it in a terminal, agents as it is: nothing in it may be invisible or steer either.
  const told = briefing === '' ? '' : `${briefing.trimEnd()}\n\n`;
  return withSeal(`${told}${sanitize(`${parts.filter((part) => part !== '').join('\n\n')}\n`)}`);
}

/** Before all else: the receiver should know what is not there. Not read back. */
function emergencyPart(packet: Packet, contract: Contract): string {
  if (!isEmergency(packet.trigger)) return '';
  const missing = missingIn(packet, contract);
  const words = `## Before you rely on it\n\n${emergencyWords(packet.trigger)}`;
  if (missing.length === 0) return words;
  return `${words}\n\n${bullets('Missing', missing)}\n\n${askFirst(packet.task)}`;
}

const sealLine = /\n<!-- staffetta (sha256:[0-9a-f]{64}) facts (sha256:[0-9a-f]{64}) -->(?=\n|$)/;

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
  const added = text.slice(seal.index + seal[0].length).trim() !== '';
  return {
    ours: true,
    edited: added || digestOf(body) !== seal[1],
    factsEdited: factsDigest(body) !== seal[2],
  };
}

/** The lines of a file without the seal: what somebody wrote below it counts as well. */
export function unsealedLines(source: string): string[] {
  return source.replaceAll('\r\n', '\n').replace(sealLine, '\n').split('\n');
}

/** Of everything that the tool wrote and does not read back. */
function factsDigest(body: string): Digest {
  const kept = placedLines(body.split('\n')).filter(
    ({ place, opens, text }) =>
      text.trim() !== '' &&
      (place.kind === 'fixed' || (place.kind === 'opening' && (opens || openingLine.test(text)))),
  );
  return digestOf(kept.map(({ text }) => text).join('\n'));
}

/** What the tool writes below the title. */
export const openingLine = /^(?:Task t\w+, generation \d+, sealed by .*\.|Packet sha256:[0-9a-f]{64}\.)$/;

function fromClaim(claim: Claim): MarkdownItem {
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

function list(section: Section, items: readonly MarkdownItem[] | undefined): string {
  if (items === undefined) return '';
  return `## ${headings[section]}\n\n${items.map(writeItem).join('\n')}`.trimEnd();
}

function writeItem({ text, evidence, because, rejected, owner }: MarkdownItem): string {
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
  const body = `${text}${tail}`
    .replaceAll(fieldLine, (line, indent: string) => `${indent}\\${line.slice(indent.length)}`)
    .replace(/^\\*\[[ xX]\] /, '\\$&');
  return [`- ${indented(body, '  ').trimStart()}`, ...more].join('\n');
}

const named = String.raw`(?:[jrsd]\d{1,9}|file:[^[\],]+)`;
/** A claim's evidence, at the end of its text. */
export const evidenceTail = new RegExp(String.raw` \[((?:${named}(?:, ?${named})*(?:, ?)?)?)\]$`);
/** A line of a text that would be read as a field; with backslashes if it was one before. */
export const fieldLine = /^([ \t]*)(\\*)[-*+] (?:because|rejected|owner): /gim;

function field(name: string, text: string): string {
  return `  - ${name}: ${indented(text, '    ').trimStart()}`;
}

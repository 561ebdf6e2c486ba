/** A packet as a person or an agent reads it: every field of every claim. The only place that turns one into text. */
import { ownerWords } from '../../core/task/address.ts';
import type { Contract } from '../../core/contract/contract.ts';
import { isEmergency } from '../../core/packet/emergency.ts';
import { askFirst, emergencyWords, missingIn } from '../../core/packet/missing.ts';
import type { TaskId } from '../../core/journal/id.ts';
import type { Packet } from '../../core/packet/packet.ts';
import { formatBytes } from '../frame/bytes.ts';
import { formatAgo } from '../frame/duration.ts';
import { factParts } from './facts-page.ts';
import { line, type Output } from '../frame/output.ts';
import { section } from '../frame/section.ts';

type Claims = Packet['claims'];
type Evidence = readonly string[] | undefined;

export interface PacketPage {
  /** What was agreed, where it is known: an emergency packet says what is missing of it too. */
  readonly contract?: Contract | undefined;
  readonly packet: Packet;
  /** Its place in the chain, from 1; or whose it is, where the task has none of its own yet. */
  readonly number: number | TaskId;
  readonly now: number;
}

export function packetPart(
  { packet, contract, number, now }: PacketPage,
  { paint }: Pick<Output, 'paint'>,
): string {
  const parts = [
    `${paint.bold(typeof number === 'number' ? `Packet ${number}` : `Packet of ${number}`)}, sealed by ${line(packet.from.name)} ${formatAgo(packet.at, now)} (${packet.trigger}); ${trust}`,
    `  ${wayLine(packet)}`,
    ...emergencyParts(packet, contract),
    section('Why it was handed over', one(packet.why), '  '),
    ...claimParts(packet.claims),
    section('Artefacts', packet.artefacts.map(artefactText), '  '),
    transcriptLine(packet),
    ...factParts(packet),
  ];
  return parts.filter((part) => part !== '').join('\n');
}

function emergencyParts(packet: Packet, contract: Contract | undefined): string[] {
  if (!isEmergency(packet.trigger)) return [];
  const missing = missingIn(packet, contract);
  return [
    `  ${emergencyWords(packet.trigger)}`,
    section('Missing', missing, '  '),
    ...(missing.length === 0 ? [] : [`  ${askFirst(packet.task)}`]),
  ];
}

const trust = 'its claims are unverified, but for the evidence in brackets';

function wayLine({ to, lane, generation, from }: Packet): string {
  const to_ = to === undefined ? '' : ` to ${line(to)}`;
  const runtime = from.runtime === undefined ? '' : `, in ${line(from.runtime)}`;
  return `From generation ${generation}${runtime}${to_}, for the ${lane} lane`;
}

function one(text: string | undefined): string[] | undefined {
  return text === undefined ? undefined : [text];
}

function claimParts(claims: Claims): string[] {
  return [
    section('Summary', one(claims.summary), '  '),
    section('Done', claims.done?.map(claimLine), '  '),
    section('In progress', claims.doing?.map(claimLine), '  '),
    section('Remaining', claims.remaining?.map(claimLine), '  '),
    section('Decisions', claims.decisions?.map(decisionText), '  '),
    section('Tried and ruled out', claims.failed?.map(failedText), '  '),
    section('Blockers', claims.blockers?.map(claimLine), '  '),
    section('Questions', claims.questions?.map(questionText), '  '),
    section('Next', one(claims.next), '  '),
    section('The command that was about to run', one(claims.command), '  '),
  ];
}

function resting(evidence: Evidence): string {
  return evidence === undefined || evidence.length === 0 ? '' : ` [${evidence.join(', ')}]`;
}

/** A claim with what it rests on, or nothing: then it is only somebody's word. */
function claimLine(claim: NonNullable<Claims['done']>[number]): string {
  return typeof claim === 'string' ? claim : `${claim.text}${resting(claim.evidence)}`;
}

function decisionText(decision: NonNullable<Claims['decisions']>[number]): string {
  const { text, why, rejected, evidence } = decision;
  return decidedText(`${text}${resting(evidence)}`, why, rejected);
}

/** A decision with its reason and what was turned down, each on a line of its own. */
export function decidedText(
  text: string,
  why: string | undefined,
  rejected: readonly string[] | undefined,
): string {
  return [
    text,
    ...(why === undefined ? [] : [`because: ${why}`]),
    ...(rejected ?? []).map((option) => `rejected: ${option}`),
  ].join('\n');
}

function failedText({ what, why, evidence }: NonNullable<Claims['failed']>[number]): string {
  return `${what}${resting(evidence)}\nbecause: ${why}`;
}

function questionText({ text, owner, evidence }: NonNullable<Claims['questions']>[number]): string {
  return `${text}${resting(evidence)}${owner === undefined ? '' : `\nfor ${ownerWords(owner)} to answer`}`;
}

function artefactText({ path, role, why, digest }: Packet['artefacts'][number]): string {
  return [
    `${path}${role === undefined ? '' : ` (${role})`}${why === undefined ? '' : `: ${why}`}`,
    ...(digest === undefined ? [] : [digest]),
  ].join('\n');
}

function transcriptLine({ transcript }: Packet): string {
  if (transcript.length === 0) return '';
  const bytes = transcript.reduce((sum, chunk) => sum + chunk.bytes, 0);
  const media = [...new Set(transcript.flatMap((chunk) => chunk.media ?? []))].map(line);
  return `  Transcript: ${formatBytes(bytes)}${media.length === 0 ? '' : ` (${media.join(', ')})`}`;
}

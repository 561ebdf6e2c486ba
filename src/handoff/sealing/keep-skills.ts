/**
 * The skills that a packet names, on their way into it: found here, searched for secrets file by file, and kept as blobs. One that is not
 * here goes on from the packet before, if that carries it: the giver need not have used all that came with the work.
 */
import type { Digest } from '../../core/journal/digest.ts';
import { limits } from '../../core/base/limits.ts';
import type { Packet, PacketWords } from '../../core/packet/packet.ts';
import type { Redactions } from '../../core/redact/redactions.ts';
import type { Redactor } from '../../core/redact/redactor.ts';
import { titleFrom } from '../../core/base/text.ts';
import { skillPage, type SealedSkill, type SkillFile } from '../../core/skill/skill.ts';
import type { FoundFile, FoundSkill } from '../../ports/skills.ts';
import { searchedOrNull } from './captured.ts';
import type { Context } from '../record/context.ts';
import { readPacket } from '../history/history.ts';
import type { Keeper } from './keeper.ts';

export interface KeptSkills {
  readonly skills: readonly SealedSkill[];
  readonly losses: NonNullable<PacketWords['losses']>;
}

export interface SkillsWanted {
  /** As contract and packet name them. */
  readonly named: readonly string[];
  /** The program that the work was done in: its skills are meant first. */
  readonly runtime?: string | undefined;
  readonly parent: Digest | null;
  readonly found: Redactions[];
}

export async function keepSkills(
  context: Context,
  keeper: Keeper,
  redactor: Redactor,
  { named, runtime, parent, found }: SkillsWanted,
): Promise<KeptSkills> {
  const skills: SealedSkill[] = [];
  const losses: KeptSkills['losses'] = [];
  if (context.skills === undefined || named.length === 0) return { skills, losses };
  const before = parent === null ? undefined : (await readPacket(context, parent)).facts;
  const room = new Room();
  for (const skill of named) {
    const lose = (why: string): unknown => losses.push({ what: titleFrom(`skill ${skill}`), why });
    const kept = await keptOne({ context, keeper, redactor, found, before }, skill, runtime);
    if ('reference' in kept) continue;
    for (const why of kept.losses) lose(why);
    if (kept.sealed === null) continue;
    if (room.takes(kept.sealed)) skills.push(kept.sealed);
    else lose('the skills of this packet are more than one packet carries');
  }
  return { skills, losses: (await redactor.json(bounded(losses))).value };
}

/** A folder may be full of links; nobody reads a hundred lines of that. */
const lossesMax = 50;

function bounded(losses: KeptSkills['losses']): KeptSkills['losses'] {
  const left = losses.length - lossesMax;
  if (left <= 0) return losses;
  return [
    ...losses.slice(0, lossesMax),
    { what: 'skills', why: `${left} more of their files are not carried` },
  ];
}

interface Keeping {
  readonly context: Context;
  readonly keeper: Keeper;
  readonly redactor: Redactor;
  readonly found: Redactions[];
  readonly before: Packet['facts'];
}

type Kept =
  | { readonly sealed: SealedSkill | null; readonly losses: readonly string[] }
  /** A file of the workspace that is named by its path: it is carried as part of the work, if at all. */
  | { readonly reference: true };

async function keptOne(keeping: Keeping, skill: string, runtime: string | undefined): Promise<Kept> {
  const { context, before } = keeping;
  const there = (await context.skills?.find(skill, runtime)) ?? null;
  if (there !== null && 'unfit' in there) return { sealed: null, losses: [there.unfit] };
  if (there !== null) return await searchedSkill(keeping, skill, there);
  const carried = before?.skills?.find((one) => one.skill === skill);
  if (carried !== undefined) return { sealed: carried, losses: [] };
  if ((await context.skills?.pathOf(skill)) !== null) return { reference: true };
  return { sealed: null, losses: ['no folder of that name with a SKILL.md is here'] };
}

async function searchedSkill(
  keeping: Keeping,
  skill: string,
  { name, from, files, losses: left }: FoundSkill,
): Promise<Kept> {
  const losses = left.map(({ path, why }) => `${path} ${why}`);
  const kept: SkillFile[] = [];
  for (const file of files) {
    const one = await searchedFile(keeping, file);
    if ('why' in one) losses.push(`${one.path} ${one.why}`);
    else kept.push(one);
  }
  const isWhole = kept.some(({ path }) => path === skillPage);
  return { sealed: isWhole ? { skill, name, from, files: kept } : null, losses };
}

/** A script or an instruction without its secret would be another one: it is left out. */
async function searchedFile(
  { keeper, redactor, found }: Keeping,
  { path, content, executable, packed }: FoundFile,
): Promise<SkillFile | { readonly path: string; readonly why: string }> {
  const named = await redactor.text(path);
  if (named.redactions.findings.length > 0) return { path: named.value, why: 'has a secret in its name' };
  const searched = await searchedOrNull(redactor, content, packed);
  if (searched === null || searched.isClosed) return { path, why: 'cannot be searched for secrets' };
  found.push(searched.redactions, ...searched.inside);
  if (searched.redactions.findings.length > 0 || searched.inside.length > 0)
    return { path, why: 'has a secret in it' };
  const blob = await keeper.keep(content);
  return { path, blob, bytes: content.length, ...(executable ? { executable: true as const } : {}) };
}

/** What one packet has room for. */
class Room {
  #skills: number = limits.skillsMax;
  #files: number = limits.skillFilesMax;
  #bytes: number = limits.skillBytesMax;

  takes({ files }: SealedSkill): boolean {
    const bytes = files.reduce((sum, one) => sum + one.bytes, 0);
    if (this.#skills < 1 || files.length > this.#files || bytes > this.#bytes) return false;
    this.#skills -= 1;
    this.#files -= files.length;
    this.#bytes -= bytes;
    return true;
  }
}

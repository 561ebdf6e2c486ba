/** The skills that came with a packet: what they are, what they say, and how they get to where a program loads them from. */
import { StaffettaError } from '../../core/base/error.ts';
import type { Packet } from '../../core/packet/packet.ts';
import type { RuntimeName } from '../../core/resume/runtime-names.ts';
import { withHead, headOf } from '../../core/skill/head.ts';
import { skillPage, type SealedSkill } from '../../core/skill/skill.ts';
import type { Placing, ReadySkill } from '../../ports/skills.ts';
import type { Context } from '../record/context.ts';
import { readBlob } from '../history/history.ts';

/** For a reader that does not load skills by itself. */
export interface SkillText {
  readonly name: string;
  readonly description: string | null;
  readonly text: string;
}

export async function skillTexts(context: Context, packet: Pick<Packet, 'facts'>): Promise<SkillText[]> {
  const texts: SkillText[] = [];
  for (const skill of packet.facts?.skills ?? []) {
    const text = await pageOf(context, skill);
    texts.push({ name: skill.name, description: headOf(text).description, text });
  }
  return texts;
}

/** All that came of a skill, for the person or agent that is to decide about it. */
export interface CarriedSkill extends Pick<SealedSkill, 'skill' | 'name' | 'from'> {
  readonly description: string | null;
  /** What its head sets besides its name and description. */
  readonly sets: readonly string[];
  readonly files: readonly CarriedFile[];
}

export interface CarriedFile {
  readonly path: string;
  readonly bytes: number;
  readonly executable: boolean;
  /** Null where it is no text. */
  readonly text: string | null;
}

export async function carriedSkills(
  context: Context,
  packet: Pick<Packet, 'facts'>,
): Promise<CarriedSkill[]> {
  const carried: CarriedSkill[] = [];
  for (const { skill, name, from, files: sealed } of packet.facts?.skills ?? []) {
    const files: CarriedFile[] = [];
    for (const { path, blob, bytes, executable = false } of sealed) {
      const text = textOf(await readBlob(context, blob));
      files.push({ path, bytes, executable, text: text.includes('\0') ? null : text });
    }
    const { description, sets } = headOf(files.find(({ path }) => path === skillPage)?.text ?? '');
    carried.push({ skill, name, from, description, sets, files });
  }
  return carried;
}

export interface PlacedSkill extends Placing {
  readonly skill: string;
  readonly name: string;
  readonly files: number;
  /** Paths of what can be run. */
  readonly executables: readonly string[];
  /** What its head sets besides its name and description. */
  readonly sets: readonly string[];
}

export interface PlaceRequest {
  readonly runtime: RuntimeName;
  readonly dryRun?: boolean;
}

/** Only on somebody's word: a skill steers the agent that loads it. */
export async function placeSkills(
  context: Context,
  packet: Pick<Packet, 'facts'> | null,
  { runtime, dryRun = false }: PlaceRequest,
): Promise<PlacedSkill[]> {
  const { skills } = context;
  if (skills === undefined)
    throw new StaffettaError('workspace-missing', 'There is no folder here to put skills into.');
  const placed: PlacedSkill[] = [];
  for (const one of packet?.facts?.skills ?? []) {
    const { sets } = headOf(await pageOf(context, one));
    const placing = await skills.place(await readyOf(context, one), { runtime, dryRun });
    placed.push({ ...listed(one), sets, ...placing });
  }
  return placed;
}

function listed({ skill, name, files }: SealedSkill): Omit<PlacedSkill, keyof Placing | 'sets'> {
  const executables = files.filter(({ executable }) => executable === true).map(({ path }) => path);
  return { skill, name, files: files.length, executables };
}

/** In the form that every program takes. */
async function readyOf(context: Context, { name, files }: SealedSkill): Promise<ReadySkill> {
  const ready: ReadySkill['files'][number][] = [];
  for (const { path, blob, executable = false } of files) {
    const content = await readBlob(context, blob);
    ready.push({ path, executable, content: path === skillPage ? inForm(content, name) : content });
  }
  return { name, files: ready };
}

function inForm(page: Uint8Array, name: string): Uint8Array {
  const text = textOf(page);
  const whole = withHead(text, name);
  return whole === text ? page : Buffer.from(whole);
}

async function pageOf(context: Context, { files }: SealedSkill): Promise<string> {
  const page = files.find(({ path }) => path === skillPage)?.blob;
  return page === undefined ? '' : textOf(await readBlob(context, page));
}

/** Whatever it holds: what is no text is shown as such. */
function textOf(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('utf8');
}

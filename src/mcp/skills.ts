/** The instructions that travel with work, and which of them the receiver lacks. */
import * as z from 'zod/mini';
import { digestOf, type Digest } from '../core/journal/digest.ts';
import { isStaffettaError, StaffettaError } from '../core/base/error.ts';
import type { Packet } from '../core/packet/packet.ts';
import type { TaskState } from '../core/task/state.ts';
import { readCheckedPacket } from '../handoff/history/history.ts';
import { isRuntimeName, type RuntimeName } from '../core/resume/runtime-names.ts';
import { sanitizeLine } from '../core/base/sanitize.ts';
import { withHead } from '../core/skill/head.ts';
import type { Context } from '../handoff/record/context.ts';
import type { Pickup } from '../handoff/views/pickup.ts';
import type { Visit } from './visit.ts';
import { placeSkills, skillTexts } from '../handoff/sealing/skills.ts';

export const SkillOutput = z.strictObject({
  skill: z.string(),
  /** Who names it: the contract, or the packet. */
  by: z.string(),
  /** Where it is in this workspace; null where it is not. */
  path: z.nullable(z.string()),
  digest: z.nullable(z.string()),
  /** Its digest when the packet was sealed, where it was a change of the work. */
  sealed: z.nullable(z.string()),
  standing: z.enum(['here', 'changed', 'missing']),
  /** How many files of it came with the packet. */
  carried: z.nullable(z.int()),
});
export type SkillOutput = z.output<typeof SkillOutput>;

export async function skillsOf(
  context: Context,
  { skills }: Pickup,
  packet: Packet | null,
): Promise<SkillOutput[]> {
  const found: SkillOutput[] = [];
  for (const { skill, by, path, carried } of skills) {
    const digest = path === null ? null : await digestAt(context, path);
    const forms = await formsOf(context, packet, skill);
    const sealed = forms[0] ?? sealedAs(packet, path ?? skill);
    const changed = sealed !== null && digest !== null && ![sealed, ...forms].includes(digest);
    const standing = path === null ? 'missing' : changed ? 'changed' : 'here';
    found.push({ skill, by, path, digest, sealed, standing, carried });
  }
  return found;
}

/** The digests of the page of a skill that came with the packet: as it was sealed, and as it is put where programs load it. */
async function formsOf(context: Context, packet: Packet | null, skill: string): Promise<Digest[]> {
  const carried = packet?.facts?.skills?.filter((one) => one.skill === skill) ?? [];
  const texts = await skillTexts(context, { facts: { skills: carried } });
  return texts.flatMap(({ name, text }) => [digestOf(text), digestOf(withHead(text, name))]);
}

async function digestAt(context: Context, path: string): Promise<Digest | null> {
  try {
    return (await (await context.workspace?.())?.at(path))?.digest ?? null;
  } catch (error) {
    if (isStaffettaError(error)) return null;
    throw error;
  }
}

/** What git has of a file is told by the commit; what the work changed is told by its digest. */
function sealedAs(packet: Packet | null, path: string): Digest | null {
  return packet?.facts?.workspace?.changes.find((change) => change.path === path)?.digest ?? null;
}

export function skillLines(skills: readonly SkillOutput[]): string[] {
  return skills.map(({ skill, path, sealed, standing, carried }) => {
    const name = sanitizeLine(skill);
    switch (standing) {
      case 'missing':
        if (carried !== null)
          return `Skill ${name}: it came with the packet and is not here. Read it with what: ${JSON.stringify(`skill:${name}`)}. Where your user agrees, take the task withSkills, or: staffetta skills TASK --in RUNTIME.`;
        return `Skill ${name}: you lack it${sealed === null ? '' : ` (it was ${sealed}; read it with what: ${JSON.stringify(`file:${name}`)})`}.`;
      case 'changed':
        return `Skill ${name}: load ${sanitizeLine(path ?? '')}; it has changed since the packet was sealed.`;
      case 'here':
        return `Skill ${name}: load ${sanitizeLine(path ?? '')}.`;
    }
  });
}

export const PlacedOutput = z.strictObject({
  skill: z.string(),
  folder: z.string(),
  /** Different: another skill of that name is there, and was left as it is. */
  outcome: z.enum(['placed', 'here', 'different', 'refused']),
  why: z.nullable(z.string()),
});

type PlacedOutput = z.output<typeof PlacedOutput>;

/** The program that is to load them, known before anything is taken. */
export function programOfVisit({ by: { runtime }, place }: Pick<Visit, 'by' | 'place'>): RuntimeName {
  if (place.folder !== null && runtime !== undefined && isRuntimeName(runtime)) return runtime;
  throw new StaffettaError(
    'invalid-input',
    'withSkills: nobody knows which program would load the skills, and from where.',
    {
      hint: 'Take the task without it, and read a skill with what: skill:NAME.',
    },
  );
}

export async function placeSkillsFrom(
  context: Context,
  { packet }: Pick<TaskState, 'packet'>,
  runtime: RuntimeName,
): Promise<PlacedOutput[]> {
  const latest = packet === null ? null : await readCheckedPacket(context, packet);
  const placed = await placeSkills(context, latest, { runtime });
  return placed.map(({ skill, folder, outcome, why = null }) => ({ skill, folder, outcome, why }));
}

export function placedSkillLines(placed: readonly PlacedOutput[] | null): string[] {
  return (placed ?? []).flatMap(({ skill, folder, outcome, why }) => {
    const name = sanitizeLine(skill);
    if (outcome === 'different')
      return [`Skill ${name} was not written: another one is in ${sanitizeLine(folder)}.`];
    return outcome === 'refused' ? [`Skill ${name} was not written: ${sanitizeLine(why ?? '')}.`] : [];
  });
}

const driftMax = 20;

export function driftLines({ drift, unseen }: Pickup): string[] {
  if (unseen !== null) return [`The workspace could not be looked at: ${unseen}`];
  const moved = (drift ?? []).filter(({ standing }) => standing !== 'same');
  const left = moved.length - driftMax;
  return [
    ...moved.slice(0, driftMax).map(({ fact, was, is, standing }) => {
      const values = was === null ? `(${is ?? ''})` : is === null ? `(was ${was})` : `was ${was}, is ${is}`;
      return `${standing}: ${fact} ${values}`;
    }),
    ...(left > 0 ? [`and ${left} more`] : []),
  ];
}

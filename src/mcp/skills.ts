/** The instructions that travel with work, and which of them the receiver lacks. */
import * as z from 'zod/mini';
import type { Digest } from '../core/digest.ts';
import { isStaffettaError } from '../core/error.ts';
import type { Packet } from '../core/packet.ts';
import { sanitizeLine } from '../core/sanitize.ts';
import type { Context } from '../handoff/context.ts';
import type { Pickup } from '../handoff/pickup.ts';

export const SkillOutput = z.strictObject({
  skill: z.string(),
  by: z.string().check(z.describe('Who names it: the contract, or the packet')),
  path: z.nullable(z.string()).check(z.describe('Where it is in this workspace; null: you lack it')),
  digest: z.nullable(z.string()).check(z.describe('Of the file that is here')),
  sealed: z
    .nullable(z.string())
    .check(z.describe('Of the file when the packet was sealed, where it was a change of the work')),
  standing: z.enum(['here', 'changed', 'missing']),
});
export type SkillOutput = z.output<typeof SkillOutput>;

export async function skillsOf(
  context: Context,
  { skills }: Pickup,
  packet: Packet | null,
): Promise<SkillOutput[]> {
  const found: SkillOutput[] = [];
  for (const { skill, by, path } of skills) {
    const digest = path === null ? null : await digestAt(context, path);
    const sealed = sealedAs(packet, path ?? skill);
    const changed = sealed !== null && digest !== null && sealed !== digest;
    const standing = path === null ? 'missing' : changed ? 'changed' : 'here';
    found.push({ skill, by, path, digest, sealed, standing });
  }
  return found;
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
  return skills.map(({ skill, path, sealed, standing }) => {
    const name = sanitizeLine(skill);
    switch (standing) {
      case 'missing':
        return `Skill ${name}: you lack it${sealed === null ? '' : ` (it was ${sealed}; read it with what: ${JSON.stringify(`file:${name}`)})`}.`;
      case 'changed':
        return `Skill ${name}: load ${sanitizeLine(path ?? '')}; it has changed since the packet was sealed.`;
      case 'here':
        return `Skill ${name}: load ${sanitizeLine(path ?? '')}.`;
    }
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

import { StaffettaError } from '../../../core/base/error.ts';
import type { Packet } from '../../../core/packet/packet.ts';
import type { RuntimeName } from '../../../core/resume/runtime-names.ts';
import type { Context } from '../../../handoff/record/context.ts';
import { readCheckedPacket } from '../../../handoff/history/history.ts';
import { noPacket } from '../../../handoff/sealing/judge.ts';
import { load } from '../../../handoff/record/load.ts';
import { carriedSkills, placeSkills } from '../../../handoff/sealing/skills.ts';
import { exits } from '../../frame/fail.ts';
import type { Session } from '../../call/session.ts';
import { carriedPart, placedPart } from '../../pages/skills-page.ts';
import type { Invocation } from '../../frame/spec.ts';
import { text } from '../../frame/values.ts';
import { next } from '../../pages/words.ts';

export async function run({ positionals, values }: Invocation, session: Session): Promise<number> {
  const [named, name] = positionals;
  const task = await session.task(named);
  const context = await session.context();
  const { state } = await load(context, task);
  if (state.packet === null) throw noPacket(task);
  const packet = only(await readCheckedPacket(context, state.packet), name);
  const asked = { task, digest: state.packet, packet, isWhole: name !== undefined };
  const runtime = text(values, 'in') as RuntimeName | undefined;
  return runtime === undefined
    ? await list(context, session, asked)
    : await place(context, session, { ...asked, runtime });
}

interface Asked {
  readonly task: string;
  readonly digest: string;
  readonly packet: Packet;
  readonly isWhole: boolean;
}

/** The packet as if it had come with this skill alone. */
function only(packet: Packet, name: string | undefined): Packet {
  if (name === undefined) return packet;
  const { skills = [] } = packet.facts ?? {};
  const found = skills.filter((one) => one.name === name || one.skill === name);
  if (found.length > 0) return { ...packet, facts: { ...packet.facts, skills: found } };
  throw new StaffettaError('unknown-evidence', `No skill ${JSON.stringify(name)} came with this task.`, {
    hint: `Those that came: ${skills.map((one) => one.name).join(', ') || 'none'}`,
  });
}

async function list(
  context: Context,
  { output }: Session,
  { task, digest, packet, isWhole }: Asked,
): Promise<number> {
  const skills = await carriedSkills(context, packet);
  output.data({ task, packet: digest, skills }, () =>
    skills.map((skill) => carriedPart(skill, output.paint, isWhole)).join('\n\n'),
  );
  if (skills.length === 0) output.say('No skills came with this task.');
  else
    next(
      output,
      ...(isWhole ? [] : [`staffetta skills ${task} NAME`]),
      `staffetta skills ${task} --in RUNTIME`,
    );
  return exits.ok;
}

async function place(
  context: Context,
  session: Session,
  { task, digest, packet, runtime }: Asked & { readonly runtime: RuntimeName },
): Promise<number> {
  const { dryRun, output } = session;
  const placed = await placeSkills(context, packet, { runtime, dryRun });
  output.data({ task, packet: digest, runtime, placed, ...(dryRun ? { dryRun: true } : {}) }, () =>
    placedPart(placed, runtime, session),
  );
  const isAll = placed.every(({ outcome }) => outcome === 'placed' || outcome === 'here');
  return isAll ? exits.ok : exits.failed;
}

import { isStaffettaError, StaffettaError } from '../../../core/base/error.ts';
import { limits } from '../../../core/base/limits.ts';
import type { TaskId } from '../../../core/journal/id.ts';
import { seenHeads } from '../../../home/seen-heads.ts';
import { allCards } from '../../../handoff/record/all-tasks.ts';
import type { Context } from '../../../handoff/record/context.ts';
import { verifyStore, verifyTask, type Fault, type Verification } from '../../../handoff/trust/verify.ts';
import { heldToSeen, witnessFaults } from '../../../handoff/trust/witness.ts';
import { witnessFrom, type Witness } from '../../../core/trust/witness.ts';
import { exits } from '../../frame/fail.ts';
import { readBytes } from '../../frame/input.ts';
import { longRun } from '../../frame/long-run.ts';
import { line } from '../../frame/output.ts';
import type { Session } from '../../call/session.ts';
import type { Invocation, Values } from '../../frame/spec.ts';
import { UsageError } from '../../frame/usage.ts';
import { texts } from '../../frame/values.ts';
import { counted } from '../../pages/words.ts';

export async function run({ positionals, values }: Invocation, session: Session): Promise<number> {
  try {
    return await verifyTasks(positionals, values, session);
  } catch (error) {
    throw unreadable(error);
  }
}

/** A user who verifies already is not told to verify: the file is too damaged to say more. */
function unreadable(error: unknown): unknown {
  if (!isStaffettaError(error, 'corrupt') || error.hint?.startsWith('Run: staffetta verify') !== true)
    return error;
  return new StaffettaError(error.code, `${error.message} Not even verify can read on.`, {
    details: error.details,
    cause: error,
    hint: 'Keep the file as it is, and go on with a copy of a backup: --store FILE.',
  });
}

async function verifyTasks(
  positionals: readonly string[],
  values: Values,
  session: Session,
): Promise<number> {
  const [given = ''] = positionals;
  const named = given === '' ? undefined : await session.task(given);
  const kept = await witnesses(values, named);
  const found = await longRun(session, 'verify', async (context) => {
    const first = await (named === undefined ? verifyStore(context) : verifyTask(context, named));
    const told: Fault[] = [...first.faults];
    for (const { file, witness } of kept) told.push(...(await witnessFaults(context, witness, file)));
    told.push(...(await seenFaults(context, { named, told, anew: values['seen-anew'] === true }, session)));
    if (values['signed'] === true) told.push(...unsignedFaults(first));
    return { ...first, faults: told };
  });
  session.output.data(found, () => words(found, session));
  return found.faults.length === 0 ? exits.ok : exits.integrity;
}

/** What others kept, each about one task. */
async function witnesses(
  values: Values,
  named: TaskId | undefined,
): Promise<readonly { readonly file: string; readonly witness: Witness }[]> {
  const kept = [];
  for (const file of texts(values, 'against') ?? []) {
    const witness = witnessFrom(await firstText(file));
    if (named !== undefined && witness.task !== named)
      throw new UsageError(`${line(file)} is about task ${witness.task}, not ${named}.`);
    kept.push({ file: line(file), witness });
  }
  return kept;
}

/** All of a packet or an answer; of an export, which may be long, at least its first line. */
async function firstText(file: string): Promise<string> {
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const part of readBytes(file)) {
    parts.push(part);
    bytes += part.length;
    if (bytes > limits.archiveLineBytesMax) break;
  }
  return Buffer.concat(parts).toString('utf8');
}

/** Held to what the last verification saw. A dry run, and a store that ends with the process, remember nothing. */
async function seenFaults(
  context: Context,
  asked: { readonly named: TaskId | undefined; readonly told: readonly Fault[]; readonly anew: boolean },
  { dryRun, home }: Session,
): Promise<Fault[]> {
  if (home === undefined) return [];
  const heads = seenHeads(home.seen);
  const tasks: TaskId[] = asked.named === undefined ? [] : [asked.named];
  if (asked.named === undefined) for await (const { task } of allCards(context, () => {})) tasks.push(task);
  const faulty = new Set(asked.told.flatMap(({ task }) => task ?? []));
  const all = asked.named === undefined;
  return await heldToSeen(context, heads, { tasks, all, faulty, anew: asked.anew, remember: !dryRun });
}

function fault(text: string): Fault {
  return { kind: 'integrity', text };
}

function unsignedFaults({ signatures: { unsigned, foreign } }: Verification): Fault[] {
  return [
    ...(unsigned === 0
      ? []
      : [
          fault(
            `${counted(unsigned, 'checkpoint or approval', 'checkpoints or approvals')} without a signature.`,
          ),
        ]),
    ...(foreign === 0
      ? []
      : [fault(`${counted(foreign, 'signature')} by keys that are not known here as their writers'.`)]),
  ];
}

function words({ tasks, entries, blobs, signatures, faults }: Verification, session: Session): string {
  const { paint } = session.output;
  const state = (kind: 'integrity' | 'completeness'): string => {
    const found = faults.filter((fault) => fault.kind === kind);
    if (found.length === 0) return `${kind}: ${paint.good('ok')}`;
    return [
      `${kind}: ${paint.bad(counted(found.length, 'fault'))}`,
      ...found.map((fault) => `  ${line(fault.text)}`),
    ].join('\n');
  };
  const checked = [counted(tasks, 'task'), counted(entries, 'entry', 'entries'), counted(blobs, 'blob')];
  const { valid, foreign, unsigned } = signatures;
  const signed = `signatures: ${valid} valid${foreign === 0 ? '' : ` (${foreign} by keys not known here)`}, ${unsigned} unsigned`;
  return [`Checked ${checked.join(', ')}.`, state('integrity'), state('completeness'), signed].join('\n');
}

import { worktreeRoot } from '../../../home/locate.ts';
import { StaffettaError } from '../../../core/base/error.ts';
import { missingIn } from '../../../core/packet/missing.ts';
import type { TaskId } from '../../../core/journal/id.ts';
import { history, readCheckedPacket, readContract } from '../../../handoff/history/history.ts';
import { load } from '../../../handoff/record/load.ts';
import { describeWhole } from '../../pages/describe.ts';
import { waysOut } from '../../../handoff/views/ways-out.ts';
import { exits } from '../../frame/fail.ts';
import { packetAsked } from '../../../handoff/views/packet-asked.ts';
import { jsonText } from '../../frame/json-text.ts';
import { longRun } from '../../frame/long-run.ts';
import { block } from '../../frame/output.ts';
import { packetPart } from '../../pages/packet-page.ts';
import type { Session } from '../../call/session.ts';
import type { Invocation } from '../../frame/spec.ts';
import { taskPage } from '../../pages/task-page.ts';
import { viewOf } from '../../../handoff/views/task-view.ts';
import { transcriptWriter } from '../../pages/transcript-words.ts';
import { UsageError } from '../../frame/usage.ts';
import { refuseBoth, refuseStray, text } from '../../frame/values.ts';

export async function run({ positionals, values }: Invocation, session: Session): Promise<number> {
  refuseBoth(values, 'history', 'packet');
  if (text(values, 'session') !== undefined) return await showStep({ positionals, values }, session);
  const asked = text(values, 'packet');
  const task = await session.task(positionals[0], { looks: true });
  const id = positionals[1] ?? '';
  if (id !== '') {
    refuseStray(values, ['history', 'packet'], 'a task, not with an evidence id');
    return await showEvidence(task, id, session);
  }
  if (values['history'] === true) return await showHistory(task, session);
  if (asked !== undefined) return await showPacket(task, asked, session);
  const context = await session.context();
  const { state, lease } = await load(context, task);
  const view = await viewOf(context, state, { leaseUntil: lease?.until ?? null });
  const {
    leaseUntil,
    contract,
    amended,
    packet,
    messages,
    findings,
    gateFindings,
    declined,
    questions,
    remarks,
    pickup,
  } = view;
  session.output.data(
    {
      ...state,
      leaseUntil,
      contract: { digest: state.contract, ...contract },
      amended,
      packet: packet === null ? null : { digest: state.packet, ...packet },
      messages,
      findings,
      gateFindings,
      declined,
      questions,
      remarks,
      ...pickup,
      missing: packet === null ? [] : missingIn(packet, contract),
      waysOut: waysOut(state),
    },
    () => taskPage(view, session.output, context.clock.now()),
  );
  return exits.ok;
}

async function showEvidence(task: TaskId, id: string, session: Session): Promise<number> {
  const { expandEvidence, isEvidenceId } = await import('../../../handoff/history/evidence.ts');
  if (!isEvidenceId(id))
    throw new UsageError(
      `${JSON.stringify(id)} is no evidence id.`,
      'They look like j12 (an entry), r12 (a run), s42 (a step) and d3 (a decision), as packets and briefings name them.',
    );
  const { evidenceData, evidenceText } = await import('../../pages/evidence-page.ts');
  const { loadRuntimes } = await import('../../../compose/runtimes.ts');
  const { readersOf } = await import('../../../handoff/history/story.ts');
  const context = await session.context();
  const evidence = await expandEvidence(context, task, id, readersOf(await loadRuntimes(session.env)));
  session.output.data({ task, id, evidence: evidenceData(evidence) }, () => evidenceText(evidence));
  const begun = evidence.kind === 'steps' ? evidence.steps[0]?.ref : undefined;
  if (begun !== undefined && id !== `s${begun}`)
    session.output.say(`No step begins at ${id}: it is a record of s${begun}.`);
  return exits.ok;
}

/** A step of a session that has no task: the names are those of its own briefing. */
async function showStep(
  { positionals, values }: Pick<Invocation, 'positionals' | 'values'>,
  session: Session,
): Promise<number> {
  refuseStray(values, ['history', 'packet'], 'a task, not with --session');
  const id = positionals[0] ?? '';
  if (!/^s\d{1,9}$/.test(id) || (positionals[1] ?? '') !== '')
    throw new UsageError('Name a step of the session.', 'staffetta show --session latest s42');
  const { foundSession } = await import('../../call/found-session.ts');
  const { sessionStory } = await import('../../../handoff/sessions/brief-session.ts');
  const { stepsNamed } = await import('../../../core/transcript/story.ts');
  const { evidenceData, evidenceText } = await import('../../pages/evidence-page.ts');
  const { found, redactor } = await foundSession(
    session,
    text(values, 'session') ?? '',
    worktreeRoot(process.cwd()),
  );
  const story = await sessionStory(redactor, found);
  const steps = stepsNamed(story, Number(id.slice(1)));
  const [first] = steps;
  if (first === undefined)
    throw new StaffettaError('unknown-evidence', `The session ${found.card.id} has no step ${id}.`, {
      details: { session: found.card.id },
      hint: `Its briefing names the steps: staffetta brief --session ${found.card.runtime}:${found.card.id}`,
    });
  const evidence = { kind: 'steps', steps, session: story.sessions[first.session] ?? null } as const;
  session.output.data({ session: found.card.id, id, evidence: evidenceData(evidence) }, () =>
    evidenceText(evidence),
  );
  return exits.ok;
}

async function showPacket(task: TaskId, asked: string, session: Session): Promise<number> {
  const context = await session.context();
  const { number, digest } = await packetAsked(context, task, asked);
  const packet = await readCheckedPacket(context, digest);
  const contract = await readContract(context, packet.contract);
  session.output.data(
    { digest, ...packet },
    () =>
      `${digest}\n${packetPart({ packet, contract, number: number || packet.task, now: context.clock.now() }, session.output)}`,
  );
  return exits.ok;
}

/** Below the time that each entry starts with. */
const historyIndent = ' '.repeat(26);

/** One JSON object a line, or a story. Written as it is read: the chain may be longer than memory. */
async function showHistory(task: TaskId, session: Session): Promise<number> {
  const { output } = session;
  await longRun(session, 'history', async (context) => {
    let transcript = transcriptWriter();
    let number = 0;
    for await (const item of history(context, task)) {
      if (output.json) {
        const shown =
          item.kind === 'transcript'
            ? { ...item, bytes: undefined, base64: Buffer.from(item.bytes).toString('base64') }
            : item;
        await output.piece(`${jsonText(shown)}\n`);
        continue;
      }
      if (item.kind === 'transcript') {
        await output.piece(transcript.write(item.bytes));
        continue;
      }
      await output.piece(transcript.end());
      transcript = transcriptWriter();
      if (item.kind === 'packet') {
        number += 1;
        const { packet } = item;
        // Without what was agreed less is known to be missing, and the story goes on.
        const contract = await readContract(context, packet.contract).catch(() => undefined);
        const page = { packet, contract, number, now: context.clock.now() };
        await output.piece(`${indented(packetPart(page, output))}\n`);
      } else {
        const at = output.paint.dim(new Date(item.entry.at).toISOString());
        await output.piece(
          describeWhole(item.entry)
            .map((said) => `${at}  ${block(said, historyIndent).trimStart()}\n`)
            .join(''),
        );
      }
    }
    await output.piece(transcript.end());
  });
  return exits.ok;
}

function indented(text: string): string {
  return text
    .split('\n')
    .map((line) => `    ${line}`)
    .join('\n');
}

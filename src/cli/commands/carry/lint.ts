import { readiness } from '../../../core/packet/readiness.ts';
import { judgeDraft, judgeLatest, type Judgement } from '../../../handoff/sealing/judge.ts';
import { load } from '../../../handoff/record/load.ts';
import { exits } from '../../frame/fail.ts';
import { amendHints, findingCounts, findingsText } from '../../pages/findings-page.ts';
import { packetInput } from '../../call/packet-input.ts';
import type { Session } from '../../call/session.ts';
import { packetOptions, type Invocation, type Values } from '../../frame/spec.ts';
import { text } from '../../frame/values.ts';
import { next } from '../../pages/words.ts';

export async function run({ positionals, values }: Invocation, session: Session): Promise<number> {
  const task = await session.task(positionals[0]);
  const context = await session.context();
  const isDraft = asksForDraft(values);
  const occasion = text(values, 'for') === 'submit' ? 'submit' : 'handoff';
  const judged = isDraft
    ? await judgeDraft(
        context,
        task,
        { ...(await packetInput(values, session.output)), occasion },
        session.call(),
      )
    : await judgeLatest(context, task);
  const { output } = session;
  output.data({ task, ...judged }, () => judgementText(judged, output.width));
  const errors = judged.findings.filter(({ severity }) => severity === 'error');
  if (errors.length > 0)
    next(output, ...amendHints(errors, (await load(context, task)).state, session.actor));
  return errors.length === 0 ? exits.ok : exits.findings;
}

/** A caller that says what a packet would hold does not mean the one that is sealed. */
function asksForDraft(values: Values): boolean {
  return ['draft', 'for', ...Object.keys(packetOptions)].some((option) => values[option] !== undefined);
}

function judgementText({ packet, certification, findings }: Judgement, width: number): string {
  const what = packet === null ? 'What would be sealed' : `Packet ${packet.slice(0, 19)}…`;
  if (findings.length === 0) return `${what} is ready: nothing was found.`;
  return `${what} is ${readiness(certification)}; the gate found ${findingCounts(findings)}.\n${findingsText(findings, width)}`;
}

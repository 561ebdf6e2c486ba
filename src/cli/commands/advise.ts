import type { Address } from '../../core/address.ts';
import type { Advice } from '../../core/advice.ts';
import type { Trigger } from '../../core/event.ts';
import { loadRuntimes } from '../../compose/runtimes.ts';
import { adviseOn, type TaskAdvice } from '../../handoff/advise.ts';
import { load } from '../../handoff/load.ts';
import { address } from '../address.ts';
import { exits } from '../fail.ts';
import { offerLane } from '../offer-lane.ts';
import { line, type Paint } from '../output.ts';
import { packetInput } from '../packet-input.ts';
import { section } from '../section.ts';
import type { Session } from '../session.ts';
import { packetOptions, type Invocation } from '../spec.ts';
import { UsageError } from '../usage.ts';
import { text } from '../values.ts';
import { next } from '../words.ts';

export async function run({ positionals, values }: Invocation, session: Session): Promise<number> {
  const to = text(values, 'to');
  if (to === undefined) {
    throw new UsageError('advise needs --to: a runtime or a lane.', 'E.g. --to codex, --to lane:audit');
  }
  const recipient = address(to);
  const lane = offerLane(values, recipient);
  const trigger = text(values, 'trigger') as Trigger | undefined;
  const drafted = Object.keys(packetOptions).some((name) => values[name] !== undefined);
  const task = await session.task(positionals[0]);
  const context = await session.context();
  await load(context, task);
  const advice = await adviseOn(
    context,
    task,
    {
      runtime: runtimeOf(recipient),
      runtimes: await loadRuntimes(session.env),
      ...(lane === undefined ? {} : { lane }),
      ...(trigger === undefined ? {} : { trigger }),
      ...(drafted ? { draft: await packetInput(values, session.output) } : {}),
    },
    session.call(),
  );
  session.output.data({ task, ...advice }, () => page(advice, session.output.paint));
  hints(advice, { task, to: recipient }, session);
  return advice.answer === 'fix-packet' ? exits.findings : exits.ok;
}

function runtimeOf(to: Address): string | null {
  if (to.startsWith('runtime:')) return to.slice('runtime:'.length);
  if (to.startsWith('lane:')) return null;
  throw new UsageError(
    `Advice is about a runtime or a lane, and ${to} is neither.`,
    'E.g. --to codex, --to lane:audit, --to runtime:NAME',
  );
}

const answers: Readonly<Record<Advice['answer'], string>> = {
  resume: 'Resume: stay where the work is.',
  switch: 'Switch: hand it over.',
  'fix-packet': 'Fix the packet first.',
};

function page(
  { answer, reasons, cost, from, to, certification, findings, packet, session }: TaskAdvice,
  paint: Paint,
): string {
  const color = answer === 'fix-packet' ? paint.warn : paint.good;
  const errors = findings.filter(({ severity }) => severity === 'error');
  return [
    color(answers[answer]),
    `From ${place(from)} to ${place(to)}; ${packet === null ? 'a draft of the packet' : 'the latest packet'} is ${certification}.`,
    section(
      'Because',
      reasons.map(({ rule, text: said }) => `${rule}: ${said}`),
    ),
    section(
      'In the way',
      errors.map(({ rule, text: said, fix }) => `${rule}: ${said}\n${fix}`),
    ),
    `Cost in tokens: to resume ${tokens(cost.resume)}; to switch ${tokens(cost.switch)}. Session: ${session}.`,
  ]
    .filter((part) => part !== '')
    .join('\n');
}

function place({ runtime, lane }: TaskAdvice['from']): string {
  return `${line(runtime ?? 'an unknown runtime')} in the ${lane} lane`;
}

function tokens(count: number | null): string {
  return count === null ? 'unknown' : `about ${count}`;
}

function hints(
  { answer, to }: TaskAdvice,
  { task, to: recipient }: { readonly task: string; readonly to: Address },
  { output }: Session,
): void {
  if (answer === 'switch') next(output, `staffetta handoff ${task} --to ${recipient} --to-lane ${to.lane}`);
  if (answer === 'fix-packet') next(output, `staffetta checkpoint ${task} --next "the one next action"`);
}

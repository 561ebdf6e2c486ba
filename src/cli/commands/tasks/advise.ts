import { defined } from '../../../core/base/defined.ts';
import { basename, join, relative } from 'node:path';
import type { Address } from '../../../core/task/address.ts';
import type { Advice } from '../../../core/resume/advice.ts';
import type { Trigger } from '../../../core/journal/event.ts';
import { isEmergency } from '../../../core/packet/emergency.ts';
import { readiness } from '../../../core/packet/readiness.ts';
import { mending } from '../../contract/mending.ts';
import { loadRuntimes } from '../../../compose/runtimes.ts';
import type { Home } from '../../../home/home.ts';
import { storeFolder } from '../../../home/locate.ts';
import { adviseOn, type TaskAdvice } from '../../../handoff/views/advise.ts';
import { readCheckedPacket } from '../../../handoff/history/history.ts';
import { load } from '../../../handoff/record/load.ts';
import { address } from '../../call/address.ts';
import { exits } from '../../frame/fail.ts';
import { offerLane } from '../../call/offer-lane.ts';
import { line, type Paint } from '../../frame/output.ts';
import { packetInput } from '../../call/packet-input.ts';
import { section } from '../../frame/section.ts';
import type { Session } from '../../call/session.ts';
import { packetOptions, type Invocation } from '../../frame/spec.ts';
import { joinCommand } from '../../../core/base/command-line.ts';
import { UsageError } from '../../frame/usage.ts';
import { text } from '../../frame/values.ts';
import { next } from '../../pages/words.ts';

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
      ...defined({ lane, trigger }),
      ...(drafted ? { draft: await packetInput(values, session.output) } : {}),
    },
    session.call(),
  );
  session.output.data({ task, ...advice }, () => page(advice, session.output.paint));
  await hints(advice, { task, to: recipient, trigger, drafted }, session);
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
    `From ${place(from)} to ${place(to)}; ${packet === null ? 'a draft of the packet' : 'the latest packet'} is ${readiness(certification)}.`,
    section(
      'Because',
      reasons.map(({ rule, text: said }) => `${rule}: ${said}`),
    ),
    section(
      'In the way',
      errors.map((finding) => `${finding.rule}: ${finding.text}\n${mending(finding)}`),
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

interface Asked {
  readonly task: string;
  readonly to: Address;
  readonly trigger: Trigger | undefined;
  readonly drafted: boolean;
}

/** What to type, as it is: with the words that were judged, for a handoff seals a packet of its own. */
async function hints(advice: TaskAdvice, asked: Asked, session: Session): Promise<void> {
  const { output } = session;
  const { task, to, trigger = 'planned' } = asked;
  if (advice.answer === 'fix-packet')
    next(output, `staffetta checkpoint ${task} --next "the one next action"`);
  if (advice.answer !== 'switch') return;
  const handoff = [
    'staffetta',
    'handoff',
    task,
    '--to',
    to,
    ...(to.startsWith('lane:') ? [] : ['--to-lane', advice.to.lane]),
    ...(trigger === 'planned' ? [] : ['--trigger', trigger]),
  ];
  if (asked.drafted) {
    next(output, joinCommand([...handoff, ...givenWords(session)]));
    return;
  }
  // In an emergency what the leg said last is said again by itself.
  if (advice.packet === null || isEmergency(trigger)) {
    next(output, joinCommand(handoff));
    return;
  }
  const { artefacts } = await readCheckedPacket(await session.context(), advice.packet);
  const folder = briefFolder(session.home);
  const words = [
    '--claims',
    join(folder, 'HANDOFF.md'),
    ...artefacts.flatMap(({ path }) => ['--artefact', path]),
  ];
  next(
    output,
    joinCommand(['staffetta', 'brief', task, '--write', folder]),
    joinCommand([...handoff, ...words]),
  );
}

function givenWords({ values }: Session): string[] {
  return Object.keys(packetOptions).flatMap((name) => {
    const given = values[name];
    const all = Array.isArray(given) ? given : [given];
    return all.flatMap((value) => (typeof value === 'string' ? [`--${name}`, value] : []));
  });
}

/** Where git ignores it. */
function briefFolder(home: Home | undefined): string {
  return home !== undefined && basename(home.folder) === storeFolder
    ? relative(process.cwd(), join(home.folder, 'brief'))
    : join(storeFolder, 'brief');
}

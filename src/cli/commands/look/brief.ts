import { defined } from '../../../core/base/defined.ts';
import { join } from 'node:path';
import { worktreeRoot } from '../../../home/locate.ts';
import { handoffEdits } from '../../../core/files/handoff-markdown.ts';
import { limits } from '../../../core/base/limits.ts';
import { isOwnProgress } from '../../../core/files/progress-file.ts';
import { briefTask, packetFiles, type PacketFiles } from '../../../handoff/views/brief.ts';
import { load } from '../../../handoff/record/load.ts';
import { readersOf } from '../../../handoff/history/story.ts';
import { exits } from '../../frame/fail.ts';
import { packetAsked } from '../../../handoff/views/packet-asked.ts';
import { jsonText } from '../../frame/json-text.ts';
import { line } from '../../frame/output.ts';
import { writeOwnFiles, type WrittenFile } from '../../frame/own-file.ts';
import type { Session } from '../../call/session.ts';
import type { Invocation, Values } from '../../frame/spec.ts';
import { askOptions } from '../../specs/tasks.ts';
import { UsageError } from '../../frame/usage.ts';
import { count, refuseBoth, refuseStray, text } from '../../frame/values.ts';

type Asked = Pick<Invocation, 'positionals' | 'values'>;

export async function run(asked: Invocation, session: Session): Promise<number> {
  const { positionals, values } = asked;
  for (const name of ['at', 'write', 'replace']) refuseBoth(values, name, 'session');
  if (text(values, 'at') !== undefined) return await printPacket(asked, session);
  if (text(values, 'session') !== undefined) {
    if ((positionals[0] ?? '') !== '')
      throw new UsageError('Give a task or --session, not both: a session is read as it stands.');
    return await printSession(values, session);
  }
  refuseStray(values, Object.keys(askOptions), '--session');
  return await printBriefing(asked, session);
}

/** For a runtime, byte for byte the prompt that an agent gets there; how much it is goes to stderr. */
async function printBriefing({ positionals, values }: Asked, session: Session): Promise<number> {
  const folder = text(values, 'write');
  if (folder === undefined) refuseStray(values, ['replace'], '--write');
  if (folder === '') throw new UsageError('--write needs the name of a folder.');
  const { budget, goal, target, model } = sized(values);
  const task = await session.task(positionals[0]);
  const context = await session.context();
  await load(context, task);
  // The table of tokens weighs two megabytes, and the readers are many.
  const { loadCounter } = await import('../../../core/tokens/count.ts');
  const { loadRuntimes } = await import('../../../compose/runtimes.ts');
  const runtimes = await loadRuntimes(session.env);
  const made = await briefTask(context, task, {
    readerOf: readersOf(runtimes),
    count: await loadCounter(model ?? target),
    budget,
    alone: folder !== undefined || !runtimes.some(({ name }) => name === target),
    ...defined({ goal, target }),
  });
  const { packet, prompt, tokens, cut } = made;
  if (folder !== undefined) {
    const files = await packetFiles(context, task, { briefing: made.text });
    return writeFiles(session, { task, ...files, tokens, budget, cut }, folder);
  }
  session.output.data({ task, packet, briefing: prompt, tokens, budget, cut }, () => prompt);
  sayTokens(session, tokens, { budget, target, model });
  return exits.ok;
}

/** Straight from a session: nothing is opened, taken or stored. */
async function printSession(values: Values, session: Session): Promise<number> {
  const { budget, goal, target, model } = sized(values);
  const { foundSession } = await import('../../call/found-session.ts');
  const { briefSession } = await import('../../../handoff/sessions/brief-session.ts');
  const { loadCounter } = await import('../../../core/tokens/count.ts');
  const { askFrom } = await import('../../call/ask-agent.ts');
  const ask = askFrom(session, values, false);
  const { found, redactor } = await foundSession(
    session,
    text(values, 'session') ?? '',
    worktreeRoot(process.cwd()),
  );
  const {
    runtime,
    session: id,
    text: words,
    tokens,
    cut,
    asked,
    missing,
  } = await briefSession(redactor, found, {
    ask,
    count: await loadCounter(model ?? target),
    budget,
    ...defined({ goal, target }),
  });
  const data = { runtime, session: id, briefing: words, tokens, budget, cut };
  session.output.data(asked === undefined ? data : { ...data, asked }, () => words);
  for (const unread of missing) session.output.say(`Missing: ${unread}.`, 'warn');
  sayTokens(session, tokens, { budget, target, model });
  return exits.ok;
}

/** An earlier packet, as it stands in HANDOFF.md behind the briefing. */
async function printPacket({ positionals, values }: Asked, session: Session): Promise<number> {
  refuseStray(
    values,
    ['budget', 'goal', 'for', 'model', 'write', 'replace', ...Object.keys(askOptions)],
    'a briefing, not with --at',
  );
  const task = await session.task(positionals[0]);
  const context = await session.context();
  await load(context, task);
  const { digest } = await packetAsked(context, task, text(values, 'at') ?? '');
  const made = await packetFiles(context, task, { packet: digest });
  session.output.data({ task, ...made }, () => made.handoff);
  return exits.ok;
}

interface Sized {
  readonly budget: number;
  readonly goal: string | undefined;
  readonly target: string | undefined;
  readonly model: string | undefined;
}

function sized(values: Values): Sized {
  const budget = count(values, 'budget') ?? limits.briefingTokensDefault;
  if (budget < limits.briefingTokensMin || budget > limits.briefingTokensMax)
    throw new UsageError(
      `--budget takes ${limits.briefingTokensMin} to ${limits.briefingTokensMax} tokens, not ${budget}.`,
    );
  const target = text(values, 'for');
  if (target === undefined) refuseStray(values, ['model'], '--for');
  return { budget, goal: text(values, 'goal'), target, model: text(values, 'model') };
}

function sayTokens(session: Session, tokens: number, { budget, target, model }: Omit<Sized, 'goal'>): void {
  session.output.say(
    `${tokens} of ${budget} tokens${target === undefined ? '' : ` as ${line(model ?? target)} counts them`}.`,
  );
}

function writeFiles(
  session: Session,
  made: PacketFiles & Readonly<Record<string, unknown>>,
  folder: string,
): number {
  const { dryRun } = session;
  const written = writeOwnFiles(filesOf(made, folder), {
    replace: session.values['replace'] === true,
    dryRun,
  });
  session.output.data({ ...made, written, ...(dryRun ? { dryRun: true } : {}) }, () =>
    written.map((file) => sentence(file, dryRun)).join('\n'),
  );
  return exits.ok;
}

function filesOf({ handoff, progress }: PacketFiles, folder: string): Parameters<typeof writeOwnFiles>[0] {
  return [
    {
      path: join(folder, 'HANDOFF.md'),
      text: handoff,
      isOwn: (found) => !handoffEdits(found).edited,
    },
    ...(progress === null
      ? []
      : [{ path: join(folder, 'progress.json'), text: `${jsonText(progress, 2)}\n`, isOwn: isOwnProgress }]),
  ];
}

function sentence({ path, was }: WrittenFile, dryRun: boolean): string {
  const done = {
    absent: dryRun ? 'would be written' : 'written',
    same: 'is up to date',
    ours: dryRun ? 'would be brought up to date' : 'brought up to date',
    replaced: dryRun ? 'would be replaced, with what was not ours' : 'replaced, with what was not ours',
  }[was];
  return `${line(path)}: ${done}`;
}

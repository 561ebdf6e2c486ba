import { worktreeRoot } from '../../../home/locate.ts';
import { passingRedactor } from '../../../compose/redactor.ts';
import { loadRuntimes } from '../../../compose/runtimes.ts';
import { allRecords, toldByHooks, type SessionRecord } from '../../../home/session-record.ts';
import { findSession } from '../../../handoff/sessions/find-session.ts';
import {
  rescue,
  rescueOne,
  type Rescue,
  type RescueOptions,
  type Rescued,
} from '../../../handoff/sessions/rescue.ts';
import { rescuePointer } from '../../../handoff/sessions/rescue-pointer.ts';
import type { SessionLook } from '../../../handoff/sessions/session-look.ts';
import { cardsWithoutSecrets } from '../../../handoff/sessions/session-said.ts';
import { askedSession } from '../../../handoff/sessions/ask-agent.ts';
import { address } from '../../call/address.ts';
import { askFrom } from '../../call/ask-agent.ts';
import { parsePositiveDuration } from '../../frame/duration.ts';
import { exits } from '../../frame/fail.ts';
import { line } from '../../frame/output.ts';
import type { Session } from '../../call/session.ts';
import type { Invocation } from '../../frame/spec.ts';
import { text } from '../../frame/values.ts';
import { counted, next, sameSessionText } from '../../pages/words.ts';

export async function run({ positionals, values }: Invocation, session: Session): Promise<number> {
  const to = address(text(values, 'to') ?? 'anyone');
  const idleMs = parsePositiveDuration(text(values, 'idle') ?? '10m', 'idle');
  const sinceMs = parsePositiveDuration(text(values, 'since') ?? '1d', 'since');
  const folder = worktreeRoot(process.cwd());
  const everywhere = values['everywhere'] === true;
  const runtimes = await loadRuntimes(session.env);
  const contextOf = async () => await session.context({ create: true });
  const named = positionals[0] ?? '';
  const now = Date.now();
  const records = recordsOf(session);
  const known = toldByHooks(records);
  const ask = askFrom(session, values);
  const options = {
    to,
    dryRun: session.dryRun,
    since: now - sinceMs,
    silentSince: now - idleMs,
    known,
    limits: true,
    ...(ask === undefined
      ? {}
      : { ask: async (look: SessionLook) => await ask(askedSession(look, look.story)) }),
  };
  const outcome =
    named === ''
      ? await rescueAll(session, records, async () => {
          const where = everywhere ? {} : { folder };
          return await rescue(contextOf, runtimes, { ...options, ...where });
        })
      : await rescueNamed(session, named, options);
  const { output } = session;
  const cards = await cardsWithoutSecrets(
    await passingRedactor(session.env),
    outcome.rescued.map((one) => one.session),
  );
  const rescued = outcome.rescued.map((one, i) => ({ ...one, session: cards[i] ?? one.session }));
  output.data({ ...outcome, rescued, ...(session.dryRun ? { dryRun: true } : {}) }, () =>
    outcome.rescued.map(sentence).join('\n'),
  );
  for (const { sameSession = [] } of outcome.rescued)
    for (const other of sameSession) output.say(sameSessionText(other), 'warn');
  for (const { runtime, text: why } of outcome.troubles)
    output.say(`${runtime} could not be looked at: ${line(why)}`);
  if (outcome.rescued.length === 0)
    output.say(
      named === ''
        ? `${outcome.looked === 0 ? 'There is no session' : `None of ${counted(outcome.looked, 'session')} died`}${everywhere ? '' : ` in ${folder}`}.`
        : `The session ${line(named)} ended as sessions end; nothing has to be rescued. To hand it over: staffetta handoff --from ${line(named)} --to WHO`,
    );
  if (outcome.recent > 0)
    output.say(
      `${counted(outcome.recent, 'session')} changed less than ${text(values, 'idle') ?? '10m'} ago and may be at work still. To rescue one now, name it: staffetta rescue SESSION`,
    );
  const saved = outcome.rescued.find((one) => one.outcome === 'rescued');
  if (saved?.task !== undefined && saved.task !== null)
    next(output, `staffetta show ${saved.task}`, `staffetta take ${saved.task} --as NAME --lane execute`);
  return outcome.rescued.some((one) => one.outcome === 'refused') ? exits.failed : exits.ok;
}

function recordsOf({ home }: Session): readonly SessionRecord[] {
  return home === undefined ? [] : allRecords(home);
}

/** What hooks recorded of a session tells more than its file: that its program is gone, in a turn or between two. */
async function rescueAll(
  session: Session,
  records: readonly SessionRecord[],
  others: () => Promise<Rescue>,
): Promise<Rescue> {
  const { home, dryRun, env } = session;
  if (records.length === 0 || home === undefined) return await others();
  const { goneSessions, settleGone } = await import('../../../desk/sessions/gone.ts');
  const gone = goneSessions(home);
  if (!dryRun && gone.length > 0) await settleGone(await session.context({ create: true }), { home, env });
  const outcome = await others();
  return { ...outcome, rescued: [...gone.map((record) => settledWords(record, dryRun)), ...outcome.rescued] };
}

function settledWords(record: SessionRecord, dryRun: boolean): Rescued {
  const { runtime, session: id, folder, transcript, at, leg, host } = record;
  return {
    session: {
      runtime,
      id,
      path: transcript ?? '',
      folder,
      startedAt: null,
      updatedAt: at,
      bytes: null,
      lastPrompt: null,
      title: null,
      liveness: 'dead',
      pid: host?.pid ?? null,
      parent: null,
      pointerOnly: null,
      version: null,
    },
    task: leg?.task ?? null,
    packet: null,
    trigger: 'user',
    outcome: dryRun ? 'would-rescue' : 'rescued',
    why: 'Between two turns, its program is gone.',
  };
}

async function rescueNamed(
  session: Session,
  given: string,
  options: Pick<RescueOptions, 'to' | 'dryRun' | 'ask'> & Required<Pick<RescueOptions, 'known'>>,
): Promise<Rescue> {
  const runtimes = await loadRuntimes(session.env);
  const { runtime, card } = await findSession(runtimes, {
    given,
    folder: worktreeRoot(process.cwd()),
    pointers: true,
  });
  const found = { runtime, card: options.known(card) ?? card };
  const context = await session.context({ create: true });
  const rescued = await rescueOne(context, found, { ...options, runtimes });
  const pointer = rescued?.outcome === 'unreadable' ? await rescuePointer(context, found, options) : null;
  const one = pointer ?? rescued;
  return { rescued: one === null ? [] : [one], looked: 1, recent: 0, troubles: [] };
}

function sentence({ session, task, outcome, why, trigger }: Rescued): string {
  const name = `${session.runtime}:${session.id}`;
  switch (outcome) {
    case 'rescued':
      return `Rescued ${name} as ${task ?? 'a task'} (${trigger}). ${line(why)}`;
    case 'would-rescue':
      return `Would rescue ${name}${task === null ? '' : ` as ${task}`} (${trigger}). ${line(why)}`;
    case 'already':
      return `${name} is safe already: ${line(why)}.`;
    case 'unreadable':
      return `${name} cannot be read: ${line(why)}`;
    case 'refused':
      return `${name} could not be rescued: ${line(why)}`;
  }
}

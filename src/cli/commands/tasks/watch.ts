import { existsSync, rmSync } from 'node:fs';
import { worktreeRoot } from '../../../home/locate.ts';
import { hasNewNotes } from '../../../home/notes-memory.ts';
import { writePrivate } from '../../../process/private-file.ts';
import { loadRuntimes } from '../../../compose/runtimes.ts';
import { defined } from '../../../core/base/defined.ts';
import type { Runtime } from '../../../ports/runtime.ts';
import type { Context } from '../../../handoff/record/context.ts';
import { cardsWithoutSecrets } from '../../../handoff/sessions/session-said.ts';
import { findSessions } from '../../../handoff/sessions/sessions.ts';
import { WatchMemory, watchRound, type Watched, type WatchOptions } from '../../../handoff/sessions/watch.ts';
import { address } from '../../call/address.ts';
import { parsePositiveDuration } from '../../frame/duration.ts';
import { exits } from '../../frame/fail.ts';
import { jsonText } from '../../frame/json-text.ts';
import { line } from '../../frame/output.ts';
import type { Session } from '../../call/session.ts';
import type { Invocation, Values } from '../../frame/spec.ts';
import { refuseBoth, text } from '../../frame/values.ts';
import { counted } from '../../pages/words.ts';

export async function run({ values }: Invocation, session: Session): Promise<number> {
  refuseBoth(values, 'on', 'off');
  if (values['off'] === true || values['on'] === true) return turn(session, values['on'] === true);
  if (isOff(session)) return exits.ok;
  const everyMs = parsePositiveDuration(text(values, 'every') ?? '2s', 'every');
  const folder = worktreeRoot(process.cwd());
  const runtimes = await loadRuntimes(session.env);
  const memory = new WatchMemory();
  const options = optionsFrom(values, folder);
  const once = values['once'] === true;
  if (!once)
    session.output.say(
      `Watching sessions of ${'folder' in options ? folder : 'all folders'}; Ctrl-C or staffetta watch --off ends it.`,
    );
  for (;;) {
    const context = await contextFor(session, runtimes, options);
    const events = await watchRound(context, runtimes, memory, options);
    const cards = await cardsWithoutSecrets(
      await context.redactor(),
      events.map((event) => event.session),
    );
    for (const [i, found] of events.entries()) {
      const event = { ...found, session: cards[i] ?? found.session };
      await session.output.piece(`${session.output.json ? jsonText(event) : sentence(event)}\n`);
    }
    if (once && events.length === 0)
      session.output.say(
        `Nothing to seal.${options.adopt ? '' : ' --adopt follows sessions without a task too.'}`,
      );
    await takeNotes(session, context, folder);
    if (once || isOff(session)) return exits.ok;
    await context.clock.sleep(everyMs);
  }
}

/** Without a store no session has a task: one is made for the first that gets one. */
async function contextFor(
  session: Session,
  runtimes: readonly Runtime[],
  { adopt, folder, since }: WatchOptions,
): Promise<Context> {
  if (!adopt || session.storeExists) return await session.looking();
  const { sessions } = await findSessions(runtimes, { limit: 1, ...defined({ folder }) });
  return sessions.some(({ updatedAt }) => updatedAt >= since)
    ? await session.context({ create: true })
    : await session.looking();
}

/** What an agent wrote into a file of notes belongs to the task that is held here, if there is only one. */
async function takeNotes(session: Session, context: Context, folder: string): Promise<void> {
  const { home } = session;
  if (home === undefined || !hasNewNotes(home, folder)) return;
  const { cards } = await context.store.catalog.list({
    statuses: ['held'],
    limit: 2,
    onDamaged: () => undefined,
  });
  const [only, second] = cards;
  if (only === undefined || second !== undefined) return;
  const { load } = await import('../../../handoff/record/load.ts');
  const { state } = await load(context, only.task);
  if (state.leg === null) return;
  const { takeWatchedNotes } = await import('../../../compose/watched-notes.ts');
  const held = { task: only.task, generation: state.leg.generation };
  const taken = await takeWatchedNotes(context, { home, folder, held, by: state.leg.holder, final: false });
  if (taken > 0) session.output.say(`${only.task}: took ${counted(taken, 'line')} of notes`);
}

function optionsFrom(values: Values, folder: string): WatchOptions {
  const rescueTo = text(values, 'rescue-to');
  const sinceMs = parsePositiveDuration(text(values, 'since') ?? '1d', 'since');
  return {
    ...(values['everywhere'] === true ? {} : { folder }),
    since: Date.now() - sinceMs,
    cooldownMs: parsePositiveDuration(text(values, 'cooldown') ?? '1m', 'cooldown'),
    adopt: values['adopt'] === true,
    rescueTo: rescueTo === undefined ? 'anyone' : rescueTo === 'nobody' ? null : address(rescueTo),
  };
}

function isOff({ env, output, home }: Session): boolean {
  const byFile = home !== undefined && existsSync(home.watchOff);
  if (!byFile && env['STAFFETTA_WATCH'] !== 'off') return false;
  output.say(
    byFile
      ? 'Watching is switched off here. Switch it on again with: staffetta watch --on'
      : 'Watching is switched off by STAFFETTA_WATCH=off.',
  );
  return true;
}

function turn({ output, home, storeExists, dryRun }: Session, on: boolean): number {
  if (!dryRun && home !== undefined && on) rmSync(home.watchOff, { force: true });
  else if (!dryRun && home !== undefined && storeExists) writePrivate(home.watchOff, '');
  output.data({ watching: on, ...(dryRun ? { dryRun } : {}) }, () =>
    on ? 'Watching is switched on.' : 'Watching is switched off; a watcher that runs stops within a moment.',
  );
  return exits.ok;
}

function sentence({ session, task, what, trigger, why }: Watched): string {
  const name = `${session.runtime}:${session.id}`;
  switch (what) {
    case 'sealed':
      return `${task ?? ''}: sealed ${name} (${trigger}), ${line(why)}`;
    case 'rescued':
      return `${task ?? ''}: rescued ${name} (${trigger}). ${line(why)}`;
    case 'window-full':
      return `${name}: the window is nearly full, ${line(why)}. Hand over with: staffetta handoff --from ${session.id} --to WHO --trigger context-limit`;
    case 'refused':
      return `${name}: ${line(why)}`;
  }
}

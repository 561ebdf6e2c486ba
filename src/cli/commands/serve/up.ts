import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { worktreeRoot } from '../../../home/locate.ts';
import { packageFile } from '../../../compose/package-file.ts';
import { loadRuntimes } from '../../../compose/runtimes.ts';
import { isStaffettaError } from '../../../core/base/error.ts';
import type { TaskId } from '../../../core/journal/id.ts';
import { runOfTask } from '../../../crew/run-record.ts';
import type { Context } from '../../../handoff/record/context.ts';
import { load } from '../../../handoff/record/load.ts';
import { html } from '../../../server/html.ts';
import { channelFrom } from '../../../server/channels.ts';
import { listen, type Listening, type ListenOptions } from '../../../server/listen.ts';
import { Notifier, type Channel } from '../../../server/notify.ts';
import { document } from '../../../server/plain-page.ts';
import { readPages } from '../../../server/pages.ts';
import { loopbackHost, portDefault } from '../../../server/contract/verbs.ts';
import { exits } from '../../frame/fail.ts';
import { interruptible } from '../../frame/interrupt.ts';
import { linkFilesOf, linkTo, promisedTo, runningServer } from '../../call/links.ts';
import { line } from '../../frame/output.ts';
import type { Session } from '../../call/session.ts';
import type { Invocation, Values } from '../../frame/spec.ts';
import { tokensOf } from '../../frame/tokens.ts';
import { UsageError } from '../../frame/usage.ts';
import { refuseBoth, text, texts } from '../../frame/values.ts';
import { version } from '../../frame/version.ts';

export async function run({ positionals, values }: Invocation, session: Session): Promise<number> {
  const port = portFrom(values);
  const host = text(values, 'host') ?? loopbackHost;
  const origins = texts(values, 'origin') ?? [];
  const log = text(values, 'log') === 'json' ? logLine : () => {};
  const channels = (texts(values, 'notify') ?? []).map(channelFrom);
  const shown = await shownFirst(positionals[0], session);
  if (values['link'] === true) return await linkOnly({ values, port, shown }, session);
  // An agent that may not sign in starts no server.
  const promised = await promisedTo(session, shown?.task);
  if (session.dryRun) {
    const url = origins[0] ?? `http://${host}:${port ?? portDefault}`;
    session.output.data(
      { url, store: session.store.shown, dryRun: true },
      () => `Would listen at ${line(url)}`,
    );
    return exits.ok;
  }
  const context = await session.context({ create: true });
  const tokens = tokensOf(session, context);
  const links = linkFilesOf(session, context);
  let own: string | undefined;
  const base = {
    context,
    redeem: async (code: string) => (own === undefined ? undefined : await links?.redeem(own, code)),
    tokens,
    host,
    origins,
    userHeader: text(values, 'user-header'),
    version,
    pages: readPages(packageFile('dist/web')),
    runtimes: async () => await loadRuntimes(session.env),
    folder: worktreeRoot(process.cwd()),
    onAnswer: (answer: object) => log('answered', answer),
    onBug: (error: unknown) => {
      const stack = error instanceof Error ? (error.stack ?? '') : String(error);
      if (text(values, 'log') === undefined) process.stderr.write(`${stack}\n`);
      else log('bug', { stack });
    },
  };
  // Before it listens: Ctrl-C must find somebody who cleans up.
  await interruptible(async (signal) => {
    const listening = await listenAt(base, port, session);
    const link = linkTo(listening.url, listening.app.codes.issue(promised), shown?.page);
    own = await links?.announce(listening);
    session.output.data({ url: listening.url, link, store: session.store.shown }, () => link);
    session.output.say(
      'Open the link to sign in; it works once, within ten minutes. Another: staffetta up --link. Ctrl-C stops the server.',
    );
    const page = values['no-open'] === true || !isWatched() ? undefined : await openBrowser(link, session);
    const notifier = notifierFor({ channels, log }, context, session);
    log('started', { url: listening.url, store: session.store.shown, version });
    await waitForStop(signal);
    notifier?.close();
    session.output.say('Stopping: what is under way is finished.');
    if (own !== undefined) await links?.withdraw(own);
    await listening.close();
    log('stopped', {});
    if (page !== undefined) rmSync(page, { recursive: true, force: true });
  });
  return exits.ok;
}

/** For a server that runs: a further browser or person, or the same one when the sign-in is over. */
async function linkOnly(
  {
    values,
    port,
    shown,
  }: { readonly values: Values; readonly port: number | undefined; readonly shown: ShownFirst | undefined },
  session: Session,
): Promise<number> {
  for (const other of ['host', 'origin', 'user-header', 'no-open', 'log', 'notify'])
    refuseBoth(values, 'link', other);
  const context = await session.context();
  const links = linkFilesOf(session, context);
  const { url, server } = await runningServer(links, port);
  const promised = await promisedTo(session, shown?.task);
  if (session.dryRun) {
    const would = { url, store: session.store.shown, dryRun: true };
    session.output.data(would, () => `Would make a link for ${line(url)}`);
    return exits.ok;
  }
  const link = linkTo(url, (await links?.make(server, promised)) ?? '', shown?.page);
  session.output.data({ url, link, store: session.store.shown }, () => link);
  session.output.say('Open the link to sign in; it works once, within ten minutes.');
  return exits.ok;
}

interface ShownFirst {
  readonly task: TaskId;
  readonly page: string;
}

/** A run has a page of its own. */
async function shownFirst(given: string | undefined, session: Session): Promise<ShownFirst | undefined> {
  if (given === undefined || given === '') return undefined;
  const task = await session.task(given);
  const context = await session.context();
  const { state } = await load(context, task);
  const isRun = (await runOfTask(context, state)) === task;
  return { task, page: `/${isRun ? 'runs' : 'tasks'}/${task}` };
}

type Log = (event: string, more: object) => void;

/** One line each, whatever is in it: JSON escapes line ends. */
function logLine(event: string, more: object): void {
  process.stderr.write(`${JSON.stringify({ at: new Date().toISOString(), event, ...more })}\n`);
}

function notifierFor(
  { channels, log }: { readonly channels: readonly Channel[]; readonly log: Log },
  context: Context,
  { output }: Session,
): Notifier | undefined {
  if (channels.length === 0) return undefined;
  const notifier = new Notifier(context, {
    channels,
    onFailed: ({ kind, task }, channel, error) => {
      const why = line((error as Error).message);
      output.say(`Could not tell of ${kind} of ${task} by ${channel}: ${why}`, 'warn');
      log('untold', { kind, task, channel, why });
    },
  });
  void notifier.run();
  return notifier;
}

/** A program that reads the output has no use for a window. */
function isWatched(): boolean {
  return process.stdout.isTTY && process.stderr.isTTY;
}

async function waitForStop(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  await new Promise<void>((resolve) => {
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
}

/** The usual port, or any other where that is taken and nobody asked for it. */
async function listenAt(
  base: Omit<ListenOptions, 'port'>,
  port: number | undefined,
  { output }: Session,
): Promise<Listening> {
  if (port !== undefined) return await listen({ ...base, port });
  try {
    return await listen({ ...base, port: portDefault });
  } catch (error) {
    if (!isStaffettaError(error, 'unavailable') || error.details['reason'] !== 'EADDRINUSE') throw error;
    output.say(`Port ${portDefault} is taken; another one is used.`);
    return await listen({ ...base, port: 0 });
  }
}

function portFrom(values: Values): number | undefined {
  const given = text(values, 'port');
  if (given === undefined) return undefined;
  if (/^\d{1,5}$/.test(given) && Number(given) <= 65_535) return Number(given);
  throw new UsageError(
    `--port takes a number up to 65535, not ${JSON.stringify(given)}.`,
    '0 takes any that is free.',
  );
}

/**
 * The link is handed to the browser in a file that only its owner can read: the words of a command can be read by everybody on the
 * machine, and the first who opens the link has it.
 */
async function openBrowser(link: string, { output, env }: Session): Promise<string | undefined> {
  const hasScreen = process.platform !== 'linux' || Boolean(env['DISPLAY'] ?? env['WAYLAND_DISPLAY']);
  if (!hasScreen) return undefined;
  const folder = mkdtempSync(join(tmpdir(), 'staffetta-up-'));
  chmodSync(folder, 0o700);
  const file = join(folder, 'open.html');
  const head = html`<meta http-equiv="refresh" content="0;url=${link}" />`;
  writeFileSync(file, document('Staffetta', html`<p><a href="${link}">Open Staffetta</a></p>`, head), {
    mode: 0o600,
  });
  const [program, ...args] =
    process.platform === 'darwin'
      ? ['open']
      : process.platform === 'win32'
        ? ['cmd', '/c', 'start', '']
        : ['xdg-open'];
  const { spawn } = await import('node:child_process');
  const opener = spawn(program ?? '', [...args, pathToFileURL(file).href], {
    stdio: 'ignore',
    detached: true,
  });
  opener.on('error', () => output.say('No browser could be opened; open the link yourself.'));
  opener.unref();
  return folder;
}

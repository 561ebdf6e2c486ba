import { failureFrom, failureWords, missingFields, exits, type Failure } from './frame/fail.ts';
import { jsonText } from './frame/json-text.ts';
import { columnsOf, quickStream } from './frame/output.ts';
import { ownStdout } from './frame/stdout.ts';
import { parseCommandLine, type Parsed } from './frame/parse.ts';
import { Session } from './call/session.ts';
import { UsageError } from './frame/usage.ts';
import { wrapSentences } from './frame/width.ts';

type Streams = ConstructorParameters<typeof Session>[1];

/** From words to an exit code. The only place that ends a session and reports what went wrong. */
export async function callCommand(words: readonly string[], streams: Streams): Promise<number> {
  let session: Session | undefined;
  try {
    const parsed = parseCommandLine(words);
    session = new Session(parsed.values, streams, currentFolder);
    return await perform(parsed, session);
  } catch (error) {
    // A coding agent that calls it wrongly may take a failure for an order to stop.
    if (session === undefined && words[0] === 'hook') return await hookRefused(error);
    return report(failureFrom(error), streams, session?.output.json ?? words.includes('--json'));
  } finally {
    await session?.close();
  }
}

async function hookRefused(error: unknown): Promise<number> {
  const { tellLog } = await import('../hook/run.ts');
  tellLog(`hook: ${failureFrom(error).error.message}`);
  return exits.ok;
}

async function perform(parsed: Parsed, session: Session): Promise<number> {
  const { invocation, values } = parsed;
  if (values['help'] === true) {
    const { showHelp } = await import('./frame/help.ts');
    showHelp(invocation?.command, session.output, { all: values['all'] === true });
    return exits.ok;
  }
  if (values['version'] === true) {
    const { version } = await import('./frame/version.ts');
    session.output.data({ version }, () => version);
    return exits.ok;
  }
  if (invocation === undefined) return await (await import('./commands/look/here.ts')).run(session);
  session.refuseStrayGeneration(invocation.command);
  const { run } = await invocation.command.load();
  return await run(invocation, session);
}

function report(failure: Failure, { stdout, stderr }: Streams, isJson: boolean): number {
  // A caller that cannot be asked is told what to fill in, as data.
  const asksForFields = missingFields(failure.error.details).length > 0 && !stdout.isTTY;
  if (isJson || asksForFields) stdout.write(`${jsonText({ error: failure.error })}\n`);
  const width = columnsOf(process.env, stderr.columns);
  stderr.write(`${wrapSentences(failureWords(failure, width), width)}\n`);
  return failure.exit;
}

function currentFolder(): string {
  try {
    return process.cwd();
  } catch {
    throw new UsageError(
      'The folder you are in is gone.',
      'Go to a folder that exists, or name a store with --store.',
    );
  }
}

/** The command as a process: it ends when it has answered. */
export async function start(): Promise<void> {
  const words = process.argv.slice(2);
  const streams = { stdout: quickStream(1, ownStdout), stderr: quickStream(2, () => process.stderr) };
  // At any point, without cleaning up: what was acknowledged is on disk, and nothing else was promised.
  process.on('SIGINT', () => {
    const error = { code: 'interrupted', message: 'Interrupted.' };
    process.exit(report({ exit: exits.interrupted, error }, streams, words.includes('--json')));
  });
  process.exitCode = await callCommand(words, streams);
  // What could not be written is told in this turn.
  await new Promise((resolve) => {
    setImmediate(resolve);
  });
  // Taking everything apart takes a while, and nothing is left that could be lost.
  if (process.getActiveResourcesInfo().length === 0) process.exit();
}

import { join } from 'node:path';
import { handoffEdits } from '../../core/handoff-markdown.ts';
import { limits } from '../../core/limits.ts';
import { isOwnProgress } from '../../core/progress-file.ts';
import { brief, briefTask, type Brief } from '../../handoff/brief.ts';
import { load } from '../../handoff/load.ts';
import { readersOf } from '../../handoff/story.ts';
import { exits } from '../fail.ts';
import { findPacket } from '../find-packet.ts';
import { jsonText } from '../json-text.ts';
import { line } from '../output.ts';
import { writeOwnFiles, type WrittenFile } from '../own-file.ts';
import type { Session } from '../session.ts';
import type { Invocation } from '../spec.ts';
import { UsageError } from '../usage.ts';
import { count, refuseBoth, refuseStray, text } from '../values.ts';

/** Any of these asks for the briefing and not for the packet. */
const briefingOptions = ['budget', 'goal', 'for', 'model'];

export async function run({ positionals, values }: Invocation, session: Session): Promise<number> {
  for (const name of briefingOptions)
    for (const other of ['at', 'write', 'replace']) refuseBoth(values, name, other);
  if (briefingOptions.some((name) => values[name] !== undefined))
    return await printBriefing({ positionals, values }, session);
  const folder = text(values, 'write');
  if (folder === undefined) refuseStray(values, ['replace'], '--write');
  if (folder === '') throw new UsageError('--write needs the name of a folder.');
  const at = text(values, 'at');
  const task = await session.task(positionals[0]);
  const context = await session.context();
  await load(context, task);
  const made = await brief(
    context,
    task,
    at === undefined ? {} : { packet: (await findPacket(context, task, at)).digest },
  );
  const written =
    folder === undefined
      ? []
      : writeOwnFiles(filesOf(made, folder), {
          replace: values['replace'] === true,
          dryRun: session.dryRun,
        });
  session.output.data({ task, ...made, written, ...(session.dryRun ? { dryRun: true } : {}) }, () =>
    folder === undefined ? made.handoff : written.map((file) => sentence(file, session.dryRun)).join('\n'),
  );
  return exits.ok;
}

/** For a runtime, byte for byte the prompt that an agent gets there; how much it is goes to stderr. */
async function printBriefing(
  { positionals, values }: Pick<Invocation, 'positionals' | 'values'>,
  session: Session,
): Promise<number> {
  const budget = count(values, 'budget') ?? limits.briefingTokensDefault;
  if (budget < limits.briefingTokensMin || budget > limits.briefingTokensMax)
    throw new UsageError(
      `--budget takes ${limits.briefingTokensMin} to ${limits.briefingTokensMax} tokens, not ${budget}.`,
    );
  const goal = text(values, 'goal');
  const target = text(values, 'for');
  const model = text(values, 'model');
  if (target === undefined) refuseStray(values, ['model'], '--for');
  const task = await session.task(positionals[0]);
  const context = await session.context();
  await load(context, task);
  // The table of tokens weighs two megabytes, and the readers are many.
  const { loadCounter } = await import('../../core/tokens/count.ts');
  const { loadRuntimes } = await import('../../compose/runtimes.ts');
  const runtimes = await loadRuntimes(session.env);
  const made = await briefTask(context, task, {
    readerOf: readersOf(runtimes),
    count: await loadCounter(model ?? target),
    budget,
    alone: !runtimes.some(({ name }) => name === target),
    ...(goal === undefined ? {} : { goal }),
    ...(target === undefined ? {} : { target }),
  });
  const { packet, prompt, tokens, cut } = made;
  session.output.data({ task, packet, briefing: prompt, tokens, budget, cut }, () => prompt);
  session.output.say(
    `${tokens} of ${budget} tokens${target === undefined ? '' : ` as ${line(model ?? target)} counts them`}.`,
  );
  return exits.ok;
}

function filesOf({ handoff, progress }: Brief, folder: string): Parameters<typeof writeOwnFiles>[0] {
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

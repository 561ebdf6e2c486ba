/** The words of a launch, for a program that takes none with a session: by its protocol, or in the session itself before it opens in a terminal. */
import { text as readText } from 'node:stream/consumers';
import { speakingTo } from '../../../compose/speak.ts';
import { programMeant } from '../../../core/resume/runtime-names.ts';
import { runProgram } from '../../../desk/launch/run-program.ts';
import { exits } from '../../frame/fail.ts';
import type { Invocation } from '../../frame/spec.ts';
import { usageError } from '../../frame/usage.ts';
import { text } from '../../frame/values.ts';
import type { Session } from '../../call/session.ts';

export async function run(
  { positionals, values }: Invocation,
  { env, output, dryRun }: Session,
): Promise<number> {
  const [word = '', ...extra] = positionals;
  const runtime = programMeant(word);
  const id = text(values, 'session');
  if (runtime === undefined || id === undefined)
    throw usageError('It needs a program and a session.', 'staffetta speak RUNTIME --session ID');
  if (dryRun) {
    const would = `Would put words to the session ${id} of ${runtime}, if it is here.`;
    output.data({ runtime, session: id, dryRun: true }, () => would);
    return exits.ok;
  }
  const speaking = await speakingTo({ runtime, session: id, folder: process.cwd(), env, extra });
  const { path } = speaking.session;
  const file = text(values, 'file');
  if (file !== undefined) return await open(await speaking.open(file), env);
  const words = await readText(process.stdin);
  const { how, said } = await speaking.put(words, (piece) => {
    if (!output.json) process.stdout.write(piece);
  });
  output.data({ runtime, session: id, path, how, said }, () => '');
  if (how === 'over') return exits.ok;
  output.say(said);
  return exits.failed;
}

type Opening = Awaited<ReturnType<Awaited<ReturnType<typeof speakingTo>>['open']>>;

/** The terminal is the program's until it ends. */
async function open(launch: Opening, env: NodeJS.ProcessEnv): Promise<number> {
  const set = Object.entries(launch.env).map(([name, value]) => [name, value ?? undefined]);
  const { exit } = await runProgram(launch, {
    env: { ...env, ...Object.fromEntries(set) },
    output: 'stdout',
    stop: new AbortController().signal,
    isWatched: true,
  });
  return exit ?? exits.failed;
}

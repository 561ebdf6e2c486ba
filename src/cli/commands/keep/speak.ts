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

export async function run({ positionals, values }: Invocation, { env, output }: Session): Promise<number> {
  const [word = '', ...extra] = positionals;
  const runtime = programMeant(word);
  const session = text(values, 'session');
  if (runtime === undefined || session === undefined)
    throw usageError('It needs a program and a session.', 'staffetta speak RUNTIME --session ID');
  const folder = process.cwd();
  const speaking = await speakingTo({ runtime, session, folder, env, extra });
  const file = text(values, 'file');
  if (file === undefined) {
    const turn = await speaking.put(await readText(process.stdin), (said) => process.stdout.write(said));
    process.stdout.write('\n');
    if (turn.how === 'over') return exits.ok;
    output.say(turn.said);
    return exits.failed;
  }
  const launch = await speaking.open(file);
  const set = Object.entries(launch.env).map(([name, value]) => [name, value ?? undefined]);
  const ended = await runProgram(launch, {
    env: { ...env, ...Object.fromEntries(set) },
    output: 'stdout',
    stop: new AbortController().signal,
    isWatched: true,
  });
  return ended.exit ?? exits.failed;
}

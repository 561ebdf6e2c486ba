import { placeAt } from '../../mcp/place.ts';
import { serveMcp } from '../../mcp/serve.ts';
import { exits } from '../fail.ts';
import { line } from '../output.ts';
import type { Session } from '../session.ts';
import type { Invocation } from '../spec.ts';
import { text } from '../values.ts';

/** Speaks the protocol on standard output, and nothing else; words go to standard error. */
export async function run({ values }: Invocation, session: Session): Promise<number> {
  const said = { STAFFETTA_AS: 'as', STAFFETTA_LANE: 'lane', STAFFETTA_RUNTIME: 'runtime' };
  const given = Object.entries(said).map(([variable, option]) => [
    variable,
    text(values, option) ?? session.env[variable],
  ]);
  const env = { ...session.env, ...(Object.fromEntries(given) as NodeJS.ProcessEnv) };
  if (process.stdin.isTTY)
    session.output.say(
      'This is for a host program: it speaks JSON on standard input. How to set it up: docs/mcp.md',
    );
  await serveMcp({
    place: placeAt({ store: session.located.path, folder: process.cwd(), env }),
    env,
    input: process.stdin,
    output: process.stdout,
    log: (said_) => process.stderr.write(`staffetta mcp: ${line(said_)}\n`),
  });
  return exits.ok;
}

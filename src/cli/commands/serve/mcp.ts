import { commandWords } from '../../../compose/command-words.ts';
import { packageFile } from '../../../compose/package-file.ts';
import type { Home } from '../../../home/home.ts';
import { readRecord, recordedSpeaker } from '../../../home/session-record.ts';
import { speakerAt, type FindRecorded } from '../../../desk/speaker.ts';
import { workPlaceAt } from '../../../mcp/place.ts';
import { serveMcp } from '../../../mcp/serve.ts';
import { setElsewhere } from '../../../mcp/visit.ts';
import { tools } from '../../../mcp/tools.ts';
import { exits } from '../../frame/fail.ts';
import { ownStdout } from '../../frame/stdout.ts';
import { line } from '../../frame/output.ts';
import type { Session } from '../../call/session.ts';
import type { Invocation } from '../../frame/spec.ts';
import { text } from '../../frame/values.ts';
import { version } from '../../frame/version.ts';

/** Speaks the protocol on standard output, and nothing else; words go to standard error. */
export async function run({ values }: Invocation, session: Session): Promise<number> {
  const env = { ...session.env, ...saidIn(values) };
  const place = workPlaceAt({ store: session.located, folder: process.cwd(), env });
  if (session.dryRun) {
    const names = tools.map(({ name }) => name);
    session.output.data(
      {
        version,
        store: place.store,
        exists: place.exists(),
        actor: speakerAt({ env, refuse: setElsewhere, host: {}, recorded: recordedIn(session.home) }),
        tools: names,
        dryRun: true,
      },
      () => `Would serve ${names.join(', ')} with the store ${line(place.store)}.`,
    );
    return exits.ok;
  }
  if (process.stdin.isTTY)
    session.output.say(
      'This is for a program that speaks JSON on standard input. How to set it up: docs/mcp.md',
    );
  await serveMcp({
    place,
    env,
    recorded: recordedIn(session.home),
    command: commandWords({ env, launcher: packageFile('bin/staffetta.cjs') }),
    input: process.stdin,
    output: ownStdout(),
    log: (words) => process.stderr.write(`staffetta mcp: ${line(words)}\n`),
  });
  return exits.ok;
}

/** The session that calls as its hooks recorded it: by its id while it lives, else the one whose program started this server. */
function recordedIn(home: Home | undefined): FindRecorded {
  if (home === undefined) return () => undefined;
  return (runtime, session) => {
    const named = runtime === undefined || session === undefined ? null : readRecord(home, runtime, session);
    return named?.ended === false ? named : recordedSpeaker(home, {}, runtime);
  };
}

/** What the call says of the agent stands before what the environment says. */
function saidIn(values: Invocation['values']): Record<string, string> {
  const variables = { STAFFETTA_AS: 'as', STAFFETTA_LANE: 'lane', STAFFETTA_RUNTIME: 'runtime' };
  return Object.fromEntries(
    Object.entries(variables).flatMap(([variable, option]) => {
      const said = text(values, option);
      return said === undefined ? [] : [[variable, said]];
    }),
  );
}

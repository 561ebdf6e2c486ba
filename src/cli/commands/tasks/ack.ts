import { acknowledge } from '../../../handoff/verbs/carry.ts';
import { exits } from '../../frame/fail.ts';
import type { Session } from '../../call/session.ts';
import { text } from '../../frame/values.ts';
import type { Invocation } from '../../frame/spec.ts';
import { UsageError } from '../../frame/usage.ts';
import { report } from '../../pages/words.ts';

export async function run({ positionals, values }: Invocation, session: Session): Promise<number> {
  const words = { goal: text(values, 'goal'), gate: text(values, 'gate'), next: text(values, 'next') };
  const missing = Object.entries(words).flatMap(([name, value]) =>
    value === undefined ? [`--${name}`] : [],
  );
  if (missing.length > 0) {
    throw new UsageError(
      `ack restates the task; ${missing.join(', ')} ${missing.length === 1 ? 'is' : 'are'} missing.`,
      'Say it in your own words, e.g. staffetta ack --goal "429 on excess" --gate "npm test" --next "write the failing test"',
    );
  }
  const held = await session.held(positionals[0]);
  const { goal = '', gate = '', next = '' } = words;
  const recorded = await acknowledge(await session.context(), held, { goal, gate, next }, session.call());
  report(session, recorded, `Acknowledged ${held.task}, generation ${held.generation}.`);
  return exits.ok;
}

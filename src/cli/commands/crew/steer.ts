import { parse } from '../../../core/base/parse.ts';
import { PlanBudget } from '../../../core/plan/crew.ts';
import { cancelPlanned, givePlanned, runToSteer, steerRun } from '../../../crew/steering/steer-run.ts';
import type { Recorded } from '../../../handoff/record/record.ts';
import type { Session } from '../../call/session.ts';
import { exits } from '../../frame/fail.ts';
import type { Invocation, Values } from '../../frame/spec.ts';
import { UsageError } from '../../frame/usage.ts';
import { cap, text, texts } from '../../frame/values.ts';
import { report } from '../../pages/words.ts';
import { spelledBudget } from '../../plan/plan-fields.ts';

const parallelMax = 10_000;

export async function run({ positionals, values }: Invocation, session: Session): Promise<number> {
  const name = positionals[0] ?? '';
  const [pause, resume] = [values['pause'] === true, values['resume'] === true];
  const parallel = cap(values, 'parallel', parallelMax);
  const caps = capsIn(values);
  const [cancels, gives] = [texts(values, 'cancel') ?? [], givesIn(values)];
  if (pause && resume) throw new UsageError('Pause it or resume it?', 'Give one of --pause and --resume.');
  const isSteered = pause || resume || parallel !== undefined || caps !== undefined;
  if (!isSteered && cancels.length === 0 && gives.length === 0)
    throw new UsageError(
      'Nothing would change.',
      'Give --pause, --resume, --parallel N, --cap, --cancel TASK, --start TASK or --give TASK=AGENT.',
    );
  const context = await session.context();
  const before = await runToSteer(context, name);
  const words = [
    ...(pause ? ['paused'] : resume ? ['resumed'] : []),
    ...(parallel === undefined ? [] : [`${parallel} at once`]),
    ...(caps === undefined ? [] : ['other caps']),
  ];
  const why = text(values, 'why');
  let recorded: Recorded | undefined;
  if (isSteered)
    recorded = await steerRun(
      context,
      before,
      { ...(pause || resume ? { paused: pause } : {}), parallel, caps, why: why ?? `${words.join(', ')}.` },
      session.call(),
    );
  const { steering = null } = recorded?.state ?? before;
  for (const one of cancels) {
    recorded = await cancelPlanned(
      context,
      name,
      { task: one, why: why ?? 'It is not wanted.' },
      session.call(),
    );
    words.push(`${one} is cancelled`);
  }
  for (const { task: one, agent } of gives) {
    const given = { task: one, agent, why: why ?? 'It was given by hand.' };
    recorded = await givePlanned(context, name, given, session.call());
    words.push(`${one} goes to ${recorded.state.offer?.to ?? agent ?? 'its lane'}`);
  }
  if (recorded !== undefined)
    report(session, recorded, `Run ${name}: ${words.join(', ')}.`, { run: name, steering });
  return exits.ok;
}

/** `--cap tokens=20M --cap time=2h` */
function capsIn(values: Values): PlanBudget | undefined {
  const given = texts(values, 'cap');
  if (given === undefined) return undefined;
  const fields = given.map((one) => {
    const [, field, value] = /^(tokens|legs|time|cost)=(.+)$/.exec(one) ?? [];
    if (field === undefined || value === undefined)
      throw new UsageError(
        `--cap takes what and how much, not ${JSON.stringify(one)}.`,
        'E.g. --cap tokens=20M, --cap legs=40, --cap time=2h, --cap cost=25USD',
      );
    return [field, field === 'legs' && /^\d+$/.test(value) ? Number(value) : value] as const;
  });
  const { value, findings } = spelledBudget(Object.fromEntries(fields));
  const [first] = findings;
  if (first !== undefined) throw new UsageError(`--cap ${first.text}`, first.fix);
  return parse(PlanBudget, value, '--cap');
}

interface Given {
  readonly task: string;
  readonly agent?: string;
}

function givesIn(values: Values): readonly Given[] {
  const starts = (texts(values, 'start') ?? []).map((task) => ({ task }));
  const gives = (texts(values, 'give') ?? []).map((one) => {
    const [, task, agent] = /^([^=]+)=([^=]+)$/.exec(one) ?? [];
    if (task === undefined || agent === undefined)
      throw new UsageError(
        `--give takes a task and an agent, not ${JSON.stringify(one)}.`,
        'E.g. --give wire=code',
      );
    return { task, agent };
  });
  return [...starts, ...gives];
}

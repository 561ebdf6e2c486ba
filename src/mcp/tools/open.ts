import * as z from 'zod/mini';
import { Lane } from '../../core/actor.ts';
import { StaffettaError } from '../../core/error.ts';
import type { Context } from '../../handoff/context.ts';
import { judgeContract } from '../../handoff/judge-contract.ts';
import { resolveTask } from '../../handoff/load.ts';
import { open as openTask, type ContractInput } from '../../handoff/open.ts';
import { addressFrom } from '../address.ts';
import { leaseFrom, leaseArgument } from '../lease.ts';
import { askedFor } from '../next-calls.ts';
import { FindingOutput, Outcome, outcomeOf, sentence } from '../outcome.ts';
import { bindingKey } from '../packet-words.ts';
import { findingForTools } from '../refusal.ts';
import { keyArgument, text, texts } from '../schema.ts';
import { annotations, said, tool } from '../tool.ts';

const Command = z.union([
  z.string(),
  z.strictObject({
    run: z.optional(z.array(z.string())),
    shell: z.optional(text('A line for the system shell, instead of run')),
    name: z.optional(z.string()),
  }),
]);

const input = z.strictObject({
  goal: text('What should be true at the end: concrete, and to be judged by somebody else'),
  title: z.optional(text('One line for lists; by default the first line of the goal')),
  kind: z.optional(text('Kind of work, e.g. code, research; an unknown kind gets the strictest rules')),
  acceptance: z.optional(texts('When the result is accepted')),
  constraints: z.optional(texts('What the user demanded, word for word')),
  nonGoals: z.optional(texts('What is not part of it')),
  protectedPaths: z.optional(texts('Globs of files whose change only a person may approve')),
  validation: z.optional(
    z
      .array(Command)
      .check(
        z.describe(
          'Commands that prove the result: "npm test", { "run": ["npm", "test"] } or { "shell": "…" }',
        ),
      ),
  ),
  review: z.optional(text('Who approves: human, or an address such as lane:audit; never the author')),
  skills: z.optional(texts('Instructions the holder loads first: a name, or a path in the workspace')),
  needs: z.optional(texts('Tasks that must be done before')),
  to: z.optional(
    text('Offer it to anyone, lane:LANE, runtime:NAME or agent:NAME. Left out: you take it yourself'),
  ),
  lane: z.optional(Lane.check(z.describe('What the first leg is for (execute)'))),
  leaseMinutes: leaseArgument,
  idempotencyKey: keyArgument,
});

export const open = tool({
  name: 'open',
  title: 'Open a task',
  description:
    'Opens a task under a contract: goal, acceptance, non-goals, validation, review. You hold it from then on, unless to offers it to somebody else. Returns what the gate will ask for before it can be handed on.',
  annotations: annotations.adds,
  input,
  output: z.strictObject({ ...Outcome, leg: z.nullable(z.string()), findings: z.array(FindingOutput) }),
  run: async (args, visit) => {
    const { by, place, legs } = visit;
    const offered = args.to === undefined ? undefined : addressFrom('to', args.to);
    const lane = args.lane ?? (offered === undefined ? by.lane : undefined);
    const contract = contractFrom(args);
    const context = await place.context({ create: true });
    const agreed = await withNeeds(context, contract, args.needs);
    const how =
      offered === undefined
        ? { take: true, leaseMs: leaseFrom(args.leaseMinutes), ...said({ lane }) }
        : { to: offered, ...said({ lane }) };
    const key =
      offered === undefined
        ? await bindingKey(context, visit, args.idempotencyKey)
        : said({ key: args.idempotencyKey });
    const recorded = await openTask(context, agreed, how, { by, ...key });
    const { state } = recorded;
    const { task, generation, leg } = state;
    if (leg !== null && !recorded.repeated) legs.remember(by, { task, generation });
    const findings = await judgeContract(
      context,
      { v: 1, title: state.terms.title, ...agreed },
      leg?.holder ?? null,
    );
    const errors = findings.filter(({ severity }) => severity === 'error');
    const next =
      leg === null
        ? [askedFor('status', { task })]
        : [
            askedFor('note', { task, text: 'what you find' }),
            askedFor('checkpoint', { task, nextAction: 'TEXT' }),
          ];
    const standing =
      leg === null ? `offered to ${state.offer?.to ?? 'nobody'}` : `yours, generation ${generation}`;
    const asks =
      errors.length === 0
        ? ''
        : ` Before it can be handed on, the gate will ask for more: ${[...new Set(errors.map(({ rule }) => rule))].join(', ')}. A person can add it: staffetta amend ${task}.`;
    return {
      data: {
        ...outcomeOf(recorded, next),
        leg: leg === null ? null : `${task}/${generation}`,
        findings: findings.map(findingForTools),
      },
      text: sentence(recorded.repeated, `Opened ${task}: ${standing}.${asks}`, next),
    };
  },
});

type Given = z.output<typeof input>;

function contractFrom(given: Given): ContractInput {
  const { title, goal, kind, acceptance, constraints, nonGoals, protectedPaths, skills } = given;
  const validation = given.validation?.map(commandFrom);
  const review = given.review === undefined ? undefined : reviewFrom(given.review);
  return {
    goal,
    ...said({ title, kind, acceptance, constraints, nonGoals, protectedPaths, skills, validation, review }),
  };
}

async function withNeeds(
  context: Context,
  contract: ContractInput,
  needs: readonly string[] | undefined,
): Promise<ContractInput> {
  if (needs === undefined || needs.length === 0) return contract;
  return {
    ...contract,
    needs: await Promise.all(needs.map(async (need) => await resolveTask(context, need))),
  };
}

type Validations = NonNullable<ContractInput['validation']>;

/** A text is split at blanks and nothing else: what a shell would have to understand is said to be for one. */
function commandFrom(given: z.output<typeof Command>): Validations[number] {
  if (typeof given === 'string') {
    if (!/["'\\|&;<>()$`*?~#\n]/.test(given)) return { run: given.trim().split(/\s+/) };
    throw new StaffettaError(
      'invalid-input',
      `validation: ${JSON.stringify(given)} needs a shell, or words of its own.`,
      {
        hint: 'Give { "run": ["program", "argument"] }, or { "shell": "the line" }.',
      },
    );
  }
  const { run, shell, name } = given;
  if (run !== undefined && shell === undefined) return { run, ...said({ name }) };
  if (shell !== undefined && run === undefined) return { run: [shell], shell: true, ...said({ name }) };
  throw new StaffettaError('invalid-input', 'validation: a command has either run or shell.', {
    hint: 'Give { "run": ["npm", "test"] } or { "shell": "npm test | tee log" }.',
  });
}

function reviewFrom(who: string): ContractInput['review'] {
  return who === 'human' ? { human: true } : { owner: addressFrom('review', who) };
}

import * as z from 'zod/mini';
import { Lane } from '../../core/task/actor.ts';
import type { Context } from '../../handoff/record/context.ts';
import { judgeContract } from '../../handoff/sealing/judge-contract.ts';
import { resolveTask } from '../../handoff/record/load.ts';
import { openHere } from '../../desk/take.ts';
import type { ContractInput } from '../../handoff/verbs/open.ts';
import { addressFrom } from '../address.ts';
import { AgreedArguments, saidPart } from '../agreed.ts';
import { leaseOfMinutes, leaseArgument } from '../lease.ts';
import { askedFor } from '../words/next-calls.ts';
import { FindingOutput, OutcomeOutput, toolOutcome, sentence } from '../words/outcome.ts';
import { bindingKey } from '../packet-words.ts';
import { mended } from '../words/mending.ts';
import { keyArgument, textField, textListField } from '../schema.ts';
import { annotations, said, tool } from '../tool.ts';

const input = z.strictObject({
  goal: textField('What should be true at the end'),
  title: z.optional(textField('One line for lists')),
  kind: z.optional(textField('E.g. code, research')),
  strict: z.optional(z.literal(true).check(z.describe('The gate asks for all of it'))),
  ...AgreedArguments,
  constraints: z.optional(textListField('What the user demanded, word for word')),
  protectedPaths: z.optional(textListField('Globs of files that only a person may let change')),
  skills: z.optional(textListField('Names or paths of skills to load')),
  needs: z.optional(textListField('Tasks to be done before')),
  to: z.optional(textField('Offer it, as seal does; left out: you hold it')),
  lane: z.optional(Lane.check(z.describe('What the first leg is for'))),
  leaseMinutes: leaseArgument,
  idempotencyKey: keyArgument,
});

export const open = tool({
  name: 'open',
  title: 'Open a task',
  description:
    'Opens a task under a contract. You hold it, unless to offers it. Says what the gate will ask for before it can be handed on.',
  annotations: annotations.adds,
  input,
  output: z.strictObject({ ...OutcomeOutput, leg: z.nullable(z.string()), findings: z.array(FindingOutput) }),
  run: async (args, visit) => {
    const { by, place, legs } = visit;
    const offered = args.to === undefined ? undefined : addressFrom('to', args.to);
    const lane = args.lane ?? (offered === undefined ? by.lane : undefined);
    const contract = contractFrom(args);
    const context = await place.context({ create: true });
    const agreed = await withNeeds(context, contract, args.needs);
    const how =
      offered === undefined
        ? { take: true, leaseMs: leaseOfMinutes(args.leaseMinutes), ...said({ lane }) }
        : { to: offered, ...said({ lane }) };
    const key =
      offered === undefined
        ? await bindingKey(context, visit, args.idempotencyKey)
        : said({ key: args.idempotencyKey });
    const recorded = await openHere(context, agreed, how, { by, ...key });
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
        : [askedFor('note', { task, text: 'what you find' }), askedFor('seal', { task, nextAction: 'TEXT' })];
    const standing =
      leg === null ? `offered to ${state.offer?.to ?? 'nobody'}` : `yours, generation ${generation}`;
    const asks =
      errors.length === 0
        ? ''
        : ` Not ready to be handed over yet: ${errors.map(({ text: why }) => why).join(' ')} seal takes what is missing.`;
    return {
      data: {
        ...toolOutcome(recorded, next),
        leg: leg === null ? null : `${task}/${generation}`,
        findings: findings.map(mended),
      },
      text: sentence(recorded.repeated, `Opened ${task}: ${standing}.${asks}`, next),
    };
  },
});

type Given = z.output<typeof input>;

function contractFrom(given: Given): ContractInput {
  const { title, goal, kind, strict, constraints, protectedPaths, skills } = given;
  return {
    goal,
    ...saidPart(given),
    ...said({ title, kind, strict, constraints, protectedPaths, skills }),
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

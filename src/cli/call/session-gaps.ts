/** What a session leaves open that the gate will ask for: guessed, asked for at a terminal, else named in the refusal. */
import { memoryAddress } from '../../ports/store-address.ts';
import { defined } from '../../core/base/defined.ts';
import { worktreeRoot } from '../../home/locate.ts';
import { openStore } from '../../compose/open-store.ts';
import { StaffettaError } from '../../core/base/error.ts';
import type { Finding } from '../../core/gate/finding.ts';
import { joinCommand } from '../../core/base/command-line.ts';
import { splitWords } from '../../core/reasoning/proofs/argv.ts';
import {
  gateIn,
  goalNotStated,
  isNextByDefault,
  orderIn,
  passedProofs,
  personLooks,
  quotedWords,
} from '../../core/reasoning/draft.ts';
import type { PacketWords } from '../../core/packet/packet.ts';
import type { Context } from '../../handoff/record/context.ts';
import type { SessionHandoff } from '../../handoff/sessions/from-session.ts';
import { objections } from '../../handoff/sessions/rehearse.ts';
import { line } from '../frame/output.ts';
import { changesIt, withPart, type Agreed } from '../../desk/agree-first.ts';
import { contractFrom } from '../contract/contract-values.ts';
import type { PreparedHandoff } from '../../desk/handoff-from.ts';
import { artefactFrom } from '../../core/packet/spelled-claims.ts';
import { provingCommand } from '../contract/proving-command.ts';
import type { Session } from './session.ts';
import type { Values } from '../frame/spec.ts';
import { text, texts } from '../frame/values.ts';

export interface Missing {
  readonly field: string;
  /** The option that says it. */
  readonly option: string;
  readonly why: string;
  readonly fix: string;
  /** What the session gives so far. */
  readonly draft?: string;
  /** What it suggests, where it gives nothing. */
  readonly guess?: string;
}

interface Gaps {
  /** What an option or an answer can say. */
  readonly missing: readonly Missing[];
  /** What else the gate would refuse it for. */
  readonly others: readonly Finding[];
}

type Aim = Omit<SessionHandoff, 'trigger' | 'words'>;

/** With nothing left for the gate to object to; refused otherwise, with all that it would object to. */
export async function fillGaps(
  session: Session,
  drafted: PreparedHandoff,
  aim: Aim,
): Promise<PreparedHandoff> {
  const context = await session.looking();
  let prepared = drafted;
  let answers: Values = {};
  let gaps = await gapsIn(context, prepared, aim);
  const { askFor, mayAsk } = await import('../contract/dialogue.ts');
  const isAsked = mayAsk(session);
  if (isAsked) gaps = withDefaults(gaps, prepared);
  if (gaps.missing.length > 0 && isAsked) {
    const { offeredAnswers } = await import('../contract/offered-answers.ts');
    const stillMissing = async (tried: Values): Promise<ReadonlySet<string>> => {
      const answered = withAnswers(drafted, tried);
      const { missing } = withDefaults(await gapsIn(context, answered, aim), answered);
      return new Set(missing.map(({ field }) => field));
    };
    answers = await askFor(session, await offeredAnswers(gaps.missing, {}, stillMissing), {
      known: knownWords(prepared, gaps.missing),
      left: async (answered) => {
        prepared = withAnswers(drafted, answered);
        gaps = withDefaults(await gapsIn(context, prepared, aim), prepared);
        return await offeredAnswers(gaps.missing, answered, stillMissing);
      },
    });
  }
  if (gaps.missing.length > 0 || gaps.others.length > 0) throw incomplete(prepared, gaps, answers);
  for (const { why, stored } of defaultsIn(prepared)) session.output.say(`${why} ${line(stored)}`);
  return prepared;
}

/** What nobody stated and the tool put there: at a terminal somebody is asked, and elsewhere it is said. */
function defaultsIn({
  contract,
  words,
  look,
  agreed,
}: PreparedHandoff): (Missing & { readonly stored: string })[] {
  const proof = passedProofs(look.work).at(-1)?.command;
  const next = words.claims?.next;
  return [
    ...(next !== undefined && isNextByDefault(next)
      ? [
          {
            field: 'next',
            option: 'next',
            why: 'Nobody named a next step.',
            fix: '',
            guess: orderIn(next),
            stored: orderIn(next),
          },
        ]
      : []),
    ...(agreed === undefined && contract.acceptance?.[0] === personLooks
      ? [
          {
            field: 'acceptance',
            option: 'accept',
            why: 'No user stated when it is accepted.',
            fix: '',
            guess: proof === undefined ? 'a person looks at it' : `${proof} passes, and a person looks at it`,
            stored: gateIn(personLooks),
          },
        ]
      : []),
  ];
}

function withDefaults({ missing, others }: Gaps, prepared: PreparedHandoff): Gaps {
  const open = defaultsIn(prepared).filter(({ field }) => !missing.some((one) => one.field === field));
  return { missing: [...missing, ...open], others };
}

/** Answers as options: a command that needs a shell is a line for one. */
function asOptions({ validate, ...rest }: Values): Values {
  if (!Array.isArray(validate)) return { ...rest, ...defined({ validate }) };
  const commands = Object.groupBy(validate.map(String), (command) =>
    splitWords(command) === null ? 'validate-shell' : 'validate',
  );
  return { ...rest, ...commands };
}

function withAnswers(prepared: PreparedHandoff, answers: Values): PreparedHandoff {
  const answered = asOptions(answers);
  const { contract, words, spoken, agreed } = prepared;
  const goal = text(answered, 'goal');
  const said = { ...contractFrom(answered), ...defined({ goal }) };
  const given = { ...prepared.given, ...said };
  const next = text(answered, 'next');
  const artefacts = texts(answered, 'artefact')?.map(artefactFrom);
  const withSaid = (before: PacketWords): PacketWords => ({
    ...before,
    ...(next === undefined ? {} : { claims: { ...before.claims, next } }),
    ...defined({ artefacts }),
  });
  return {
    ...prepared,
    given,
    contract: agreed === undefined ? { ...contract, ...said } : withPart(agreed, given),
    words: withSaid(words),
    spoken: withSaid(spoken),
  };
}

/** What is known of a field, in lines. */
function linesOf({ contract, words }: Pick<PreparedHandoff, 'contract' | 'words'>, field: string): string[] {
  if (field === 'goal') return contract.goal === goalNotStated ? [] : contract.goal.split('\n');
  if (field === 'validation')
    return (contract.validation ?? []).map(({ run, shell }) =>
      shell === true ? (run[0] ?? '') : joinCommand(run),
    );
  if (field === 'review')
    return [
      ...(contract.review?.owner === undefined ? [] : [contract.review.owner]),
      ...(contract.review?.human === true ? ['human'] : []),
    ];
  if (field === 'next') return words.claims?.next === undefined ? [] : [words.claims.next];
  const lists: Readonly<Record<string, readonly string[] | undefined>> = {
    acceptance: contract.acceptance,
    constraints: contract.constraints,
    nonGoals: contract.nonGoals,
  };
  return [...(lists[field] ?? [])];
}

/** What stands already, and need not be asked for. */
function knownWords(prepared: PreparedHandoff, missing: readonly Missing[]): string[] {
  return ['goal', 'acceptance', 'constraints', 'nonGoals', 'validation', 'review']
    .filter((field) => !missing.some((one) => one.field === field))
    .flatMap((field) => linesOf(prepared, field).map((words) => `${field}: ${words}`));
}

const contractFields: Readonly<Record<string, readonly [field: string, option: string]>> = {
  'goal-missing': ['goal', 'goal'],
  'gate-missing': ['acceptance', 'accept'],
  'acceptance-missing': ['acceptance', 'accept'],
  'non-goals-missing': ['nonGoals', 'non-goal'],
  'validation-missing': ['validation', 'validate'],
  'review-owner': ['review', 'review'],
};
const packetFields: typeof contractFields = {
  'next-action': ['next', 'next'],
  'artefacts-missing': ['artefacts', 'artefact'],
};

/** As far as an answer can mend it: a contract that was agreed is changed only by those who may amend it. */
function fieldOf({ rule, path }: Finding, agreed: Agreed | undefined): readonly [string, string] | undefined {
  if (!path.startsWith('contract.')) return packetFields[rule];
  return agreed?.mayAmend === false ? undefined : contractFields[rule];
}

async function gapsIn(context: Context, prepared: PreparedHandoff, aim: Aim): Promise<Gaps> {
  const { look, contract, words, trigger, agreed, given } = prepared;
  const amended = agreed !== undefined && changesIt(agreed, given) ? withPart(agreed, given) : undefined;
  const found = await objections(context, async () => await scratchOf(context), look, {
    state: agreed?.state,
    contract,
    ...defined({ amended }),
    handoff: { ...aim, trigger, words },
  });
  const guesses: Readonly<Record<string, string | undefined>> = {
    validation: passedProofs(look.work).at(-1)?.command ?? provingCommand(worktreeRoot(process.cwd())),
    review: 'human',
  };
  const missing = new Map<string, Missing>();
  const others: Finding[] = [];
  for (const finding of found) {
    const known = fieldOf(finding, agreed);
    if (known === undefined) others.push(finding);
    if (known === undefined || missing.has(known[0])) continue;
    const [field, option] = known;
    const draft = linesOf(prepared, field).map(quotedWords).join(' ');
    const guess = guesses[field];
    const start = draft === '' ? defined({ guess }) : { draft };
    missing.set(field, { field, option, why: finding.text, fix: finding.fix, ...start });
  }
  return { missing: [...missing.values()], others };
}

/** What is tried there is gone with it, and nobody is told. */
async function scratchOf({ tracing: _untold, ...context }: Context): Promise<Context> {
  return { ...context, store: await openStore(memoryAddress) };
}

function incomplete(
  { look: { card, earlier }, contract, evidence, words, agreed }: PreparedHandoff,
  { missing, others }: Gaps,
  answers: Values,
): StaffettaError {
  const given = missing.map(({ option }) => `--${option} "…"`).join(' ');
  const fit = Object.entries(answers).filter(([name]) => !missing.some(({ option }) => option === name));
  const kept = Object.entries(asOptions(Object.fromEntries(fit))).flatMap(([option, value]) =>
    [value].flat().map((one) => `--${option} ${JSON.stringify(one)}`),
  );
  const lacks = `${missing.map(({ field }) => field).join(', ')} ${missing.length === 1 ? 'is' : 'are'} missing.`;
  const whose =
    agreed === undefined
      ? `The session ${card.id} alone does not make a contract:`
      : `The session ${card.id} and the contract of its task ${agreed.state.task} do not say all:`;
  const isContracts = agreed !== undefined && others.some(({ path }) => path.startsWith('contract.'));
  const objected = others.map(({ text: why }) => why).join(' ');
  return new StaffettaError(
    'not-ready',
    missing.length === 0
      ? `The packet of the session ${card.id} would not be ready: ${objected}`
      : `${whose} ${lacks}${objected === '' ? '' : ` Also: ${objected}`}`,
    {
      details: {
        runtime: card.runtime,
        session: card.id,
        ...(agreed === undefined ? {} : { task: agreed.state.task }),
        ...(agreed === undefined && earlier !== undefined
          ? { sameSession: earlier.tasks.map((one) => ({ ...one })) }
          : {}),
        missing: missing.map((one) => ({ ...one })),
        ...(others.length === 0 ? {} : { findings: others.map((one) => ({ ...one })) }),
        draft: { contract, evidence, claims: words.claims ?? {} },
      },
      hint: [
        missing.length === 0 ? 'Mend what is listed and try again.' : `Say the rest: ${given}.`,
        ...(isContracts
          ? [
              `Somebody who may amend its contract mends that first: staffetta amend ${agreed.state.task} --why "…"`,
            ]
          : []),
        ...(kept.length === 0 ? [] : [`What was answered need not be typed again: ${kept.join(' ')}`]),
      ].join(missing.length > 0 && kept.length === 0 ? ' ' : '\n'),
    },
  );
}

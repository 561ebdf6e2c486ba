import { defined } from '../../../core/base/defined.ts';
import { isDigest, type Digest } from '../../../core/journal/digest.ts';
import type { Entry } from '../../../core/journal/entry.ts';
import { commentFrom, findingFrom } from '../../../core/task/finding-words.ts';
import { refuseReviewer, refuseUnreviewed } from '../../../core/decide/review.ts';
import type { FileDiff } from '../../../core/diff/parse.ts';
import type { TaskState } from '../../../core/task/state.ts';
import type { ReviewFinding } from '../../../core/task/review-finding.ts';
import { isAmended } from '../../../handoff/views/amended.ts';
import { review, type Verdict } from '../../../handoff/verbs/finish.ts';
import { diffOf } from '../../../handoff/history/packet-diff.ts';
import { eventIn } from '../../../handoff/record/record.ts';
import { address } from '../../call/address.ts';
import { fileLine, totalLine } from '../../pages/diff-page.ts';
import { waysOut } from '../../../handoff/views/ways-out.ts';
import { explained, sayEscalations } from '../../pages/escalation.ts';
import { exits } from '../../frame/fail.ts';
import { quoteWord } from '../../../core/base/command-line.ts';
import type { Session } from '../../call/session.ts';
import type { Invocation, Values } from '../../frame/spec.ts';
import { taskPage } from '../../pages/task-page.ts';
import { viewOf } from '../../../handoff/views/task-view.ts';
import { UsageError } from '../../frame/usage.ts';
import { refuseBoth, refuseStray, text, texts } from '../../frame/values.ts';
import { counted, next, report, reviewCommand } from '../../pages/words.ts';
import { statOf } from './diff.ts';
import { cardTable } from './ls.ts';

export async function run({ positionals, values }: Invocation, session: Session): Promise<number> {
  refuseBoth(values, 'approve', 'send-back');
  const approves = values['approve'] === true;
  refuseBoth(values, 'approve', 'comment');
  const findings = findingsFrom(values);
  if (!approves) refuseStray(values, ['why'], '--approve');
  if (findings === undefined) refuseStray(values, ['to'], '--send-back');
  const judges = approves || findings !== undefined;
  if (!judges) refuseStray(values, ['packet', 'contract'], '--approve or --send-back');
  const [named = ''] = positionals;
  if (named === '') {
    if (judges) throw new UsageError('A verdict needs the task it is about.', 'See: staffetta review');
    return await queue(session);
  }
  return judges ? await judge(named, values, session) : await look(named, session);
}

async function judge(named: string, values: Values, session: Session): Promise<number> {
  const { task, state, generation, earlier } = await session.standing(named);
  const findings = findingsFrom(values);
  const audits = state.leg?.lane === 'audit';
  const shown = audits ? state.leg.received : (state.submission?.packet ?? null);
  const verdict = verdictFrom(
    values,
    digestFrom(values, 'packet') ?? judgedBefore(earlier) ?? shown,
    audits ? generation : undefined,
  );
  const call = { ...session.verdictCall(), explained: true };
  const recorded = await review(await session.context(), task, verdict, call);
  if (findings === undefined) {
    const words = recorded.state.status === 'done' ? 'and done' : 'and will be done when it is integrated';
    report(session, recorded, `${task} is approved ${words}.`);
    return exits.ok;
  }
  const to = eventIn(recorded.entry, 'offer-made')?.to;
  report(
    session,
    recorded,
    to === undefined
      ? `${task} was sent back too often and now waits for a person's decision.`
      : `${task} goes back to ${to} with ${counted(findings.length, 'finding')}.`,
  );
  if (to === undefined) next(session.output, `why, and the ways out: staffetta show ${task}`);
  return to === undefined ? exits.review : exits.ok;
}

/** What a repeated verdict was about: by now the task may be done, or submitted anew. */
function judgedBefore(earlier: Entry | undefined): Digest | null | undefined {
  const entry = earlier ?? null;
  return (eventIn(entry, 'review-approved') ?? eventIn(entry, 'review-sent-back'))?.packet;
}

async function look(named: string, session: Session): Promise<number> {
  const { task, state, lease } = await session.standing(named);
  const context = await session.context();
  const view = await viewOf(context, state, { leaseUntil: lease?.until ?? null });
  const { contract, amended, sentBack, packet, remarks } = view;
  const { status, submission, escalation } = state;
  const files = packet === null ? [] : ((await diffOf(context, packet))?.files ?? []);
  session.output.data(
    {
      task,
      status,
      submission,
      contract,
      amended,
      sentBack,
      packet,
      changed: files.map(statOf),
      remarks,
      escalation,
      waysOut: waysOut(state),
    },
    () =>
      [taskPage(view, session.output, context.clock.now()), changedPart(task, files, session)]
        .filter((part) => part !== '')
        .join('\n\n'),
  );
  if (files.length > 0) next(session.output, `staffetta diff ${task}`);
  const as = session.saidOfCaller.map((word) => ` ${quoteWord(word)}`).join('');
  if (state.leg?.lane === 'audit' && state.leg.holder.name === session.actor.name) {
    next(
      session.output,
      `staffetta ${refuseUnreviewed(state, session.actor) === undefined ? 'complete' : 'submit'} ${task}${as}`,
      `staffetta review ${task} --send-back "PATH:LINE: what must change"${as}`,
    );
    return exits.ok;
  }
  if (status !== 'submitted') {
    session.output.say(
      status === 'escalated'
        ? 'It is not submitted but escalated: there is nothing to approve. The ways out are shown above.'
        : `Nothing to review: the task is ${status}, not submitted.`,
    );
    return exits.ok;
  }
  const refusal = refuseReviewer(state, session.actor);
  if (refusal !== undefined) {
    session.output.say(`${refusal.message} ${whoMay(state)}`);
    return exits.ok;
  }
  const submitted = state.submission?.packet ?? null;
  // Said again where the verdict is given: above it stand pages.
  if (isAmended(state)) session.output.say('The contract was amended after the work was submitted.', 'warn');
  const binding = [
    submitted === null ? '' : ` --packet ${submitted}`,
    isAmended(state) ? ` --contract ${state.contract}` : '',
  ].join('');
  const over = view.gateFindings.some(({ severity }) => severity !== 'note') ? ' --why WHY' : '';
  next(
    session.output,
    `staffetta review ${task} --approve${binding}${over}${as}`,
    `staffetta review ${task} --send-back "what must change"${binding}${as}`,
  );
  return exits.ok;
}

function whoMay(state: TaskState): string {
  const { human, owner } = state.terms.review ?? {};
  return human === true || owner === undefined || state.demands.length > 0
    ? 'A person who did not work on it decides, at a terminal of their own.'
    : `For ${owner} to review: ${reviewCommand(state)}. So may a person.`;
}

/** The rest is a number: all of them are listed by diff --stat. */
const filesShown = 50;

/** What is to be judged, file by file. */
function changedPart(task: string, files: readonly FileDiff[], { output }: Session): string {
  if (files.length === 0) return '';
  const { paint } = output;
  const left = files.length - filesShown;
  return [
    `${paint.bold('Changed')}: ${totalLine(files)}`,
    ...files.slice(0, filesShown).map((file) => `  ${fileLine(file, paint)}`),
    ...(left > 0 ? [`  and ${left} more: staffetta diff ${task} --stat`] : []),
  ].join('\n');
}

async function queue(session: Session): Promise<number> {
  const context = await session.context();
  const page = await context.store.catalog.list({
    statuses: ['submitted', 'escalated'],
    oldestFirst: true,
    limit: 200,
  });
  const cards = await explained(context, page.cards);
  session.output.data({ tasks: cards }, () => cardTable(cards, session, context.clock.now()));
  sayEscalations(cards, session);
  const submitted = page.cards.find((card) => card.status === 'submitted');
  if (page.cards.length === 0) session.output.say('Nothing waits for review.');
  else if (submitted !== undefined) next(session.output, `staffetta review ${submitted.task}`);
  return exits.ok;
}

/** What sends it back: findings in words, and comments on lines. Undefined where neither was given. */
function findingsFrom(values: Values): readonly ReviewFinding[] | undefined {
  const said = texts(values, 'send-back');
  const comments = texts(values, 'comment');
  if (said === undefined && comments === undefined) return undefined;
  const onLines = (comments ?? []).map((given) => {
    const comment = commentFrom(given);
    if (comment !== undefined) return comment;
    throw new UsageError(
      `--comment takes PATH:LINE:TEXT, not ${JSON.stringify(given)}.`,
      'E.g. --comment "src/limit.ts:41: off by one"; of the whole file, "src/limit.ts:: too long".',
    );
  });
  return [...(said ?? []).map(findingFrom), ...onLines];
}

function digestFrom(values: Values, name: 'packet' | 'contract'): Digest | undefined {
  const given = text(values, name);
  if (given === undefined || isDigest(given)) return given;
  throw new UsageError(
    `--${name} takes a whole digest, not ${JSON.stringify(given)}.`,
    'A verdict is bound to exactly what was looked at; review TASK shows the digest.',
  );
}

function verdictFrom(values: Values, packet: Digest | null, generation: number | undefined): Verdict {
  const findings = findingsFrom(values);
  const why = text(values, 'why');
  const to = text(values, 'to');
  const contract = digestFrom(values, 'contract');
  const looked = { packet, ...defined({ contract }) };
  if (findings === undefined) return { approve: true, ...looked, ...defined({ why }) };
  return {
    approve: false,
    ...looked,
    findings,
    ...(to === undefined ? {} : { to: address(to) }),
    ...defined({ generation }),
  };
}

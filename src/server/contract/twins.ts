/**
 * The command that does the same as a change over HTTP, ready to be pasted. The server answers with it and the pages show it beside the
 * button, both from here: nothing is imported but types and what imports nothing else.
 */
import { joinCommand } from '../../core/base/command-line.ts';
import { findingFrom, findingText } from '../../core/task/finding-words.ts';
import type { ReviewFinding } from '../../core/task/review-finding.ts';
import type { TaskBudget } from '../../core/contract/terms.ts';
import type { VerdictBody } from './change-bodies.ts';

export interface ChangeBodies {
  /** `amended`: the contract is not the one under which the work was submitted. */
  readonly verdict: VerdictBody & { readonly amended?: boolean };
  readonly open: {
    readonly goal: string;
    readonly acceptance?: readonly string[] | undefined;
    readonly to?: string | undefined;
    readonly human?: boolean | undefined;
  };
  readonly again: { readonly to?: string | undefined };
  readonly 'let-be': object;
  readonly complete: { readonly accept?: string | undefined };
  readonly pause: { readonly why?: string | undefined; readonly forMs?: number | undefined };
  readonly continue: { readonly why?: string | undefined };
  readonly phase: { readonly phase: string; readonly why?: string | undefined };
  readonly settle: {
    readonly effect: string;
    readonly outcome: 'done' | 'failed';
    readonly receipt?: string | undefined;
  };
  readonly tell: { readonly text: string };
  readonly answer: { readonly decision: number; readonly answer: string };
  readonly redrive: { readonly why: string; readonly to?: string | undefined };
  readonly reassign: { readonly why: string; readonly to: string };
  readonly extend: { readonly why: string; readonly leaseMs: number };
  readonly escalate: { readonly why: string };
  readonly cancel: { readonly why: string };
  /** `run`: its name. */
  readonly steer: {
    readonly run?: string;
    readonly paused?: boolean | undefined;
    readonly parallel?: number | undefined;
    readonly caps?: TaskBudget | undefined;
    readonly why: string;
  };
}

export type ChangeName = keyof ChangeBodies;

type Words = readonly string[];

const twins: { readonly [C in ChangeName]: (task: string, body: ChangeBodies[C]) => Words } = {
  verdict: (task, body) => ['review', task, ...verdictWords(body)],
  open: (_, { goal, acceptance = [], to, human }) => [
    'open',
    ...acceptance.flatMap((text) => option('accept', text)),
    ...option('to', to),
    ...option('review', human === true ? 'human' : undefined),
    '--',
    goal,
  ],
  again: (task, { to }) => ['open', ...option('again', task), ...option('to', to)],
  'let-be': (task) => ['inbox', ...option('let-be', task)],
  complete: (task, { accept }) => ['complete', task, ...option('accept', accept)],
  pause: (task, { why, forMs }) => [
    'pause',
    task,
    ...option('until', forMs === undefined ? undefined : timeWord(forMs)),
    ...option('why', why),
  ],
  continue: (task, { why }) => ['continue', task, ...option('why', why)],
  phase: (task, { phase, why }) => ['phase', 'approve', ...option('why', why), '--', task, phase],
  settle: (task, { effect, outcome, receipt }) => [
    'settle',
    `--${outcome}`,
    ...option('receipt', receipt),
    '--',
    task,
    effect,
  ],
  tell: (task, { text }) => ['tell', task, '--', text],
  answer: (task, { decision, answer }) => [
    'decide',
    task,
    ...option('answer', String(decision)),
    '--',
    answer,
  ],
  redrive: (task, { why, to }) => ['dead', task, '--again', ...option('to', to), ...option('why', why)],
  reassign: (task, { why, to }) => ['reassign', task, ...option('to', to), ...option('why', why)],
  extend: (task, { why, leaseMs }) => [
    'extend',
    task,
    ...option('lease', timeWord(leaseMs)),
    ...option('why', why),
  ],
  escalate: (task, { why }) => ['escalate', task, ...option('why', why)],
  cancel: (task, { why }) => ['cancel', task, ...option('why', why)],
  steer: (task, { run, paused, parallel, caps, why }) => [
    'steer',
    run ?? task,
    ...(paused === undefined ? [] : [paused ? '--pause' : '--resume']),
    ...option('parallel', parallel?.toString()),
    ...capWords(caps).flatMap((cap) => option('cap', cap)),
    ...option('why', why),
  ],
};

function capWords({ tokens, legs, ms, cost }: TaskBudget = {}): string[] {
  return [
    ...(tokens === undefined ? [] : [`tokens=${tokens}`]),
    ...(legs === undefined ? [] : [`legs=${legs}`]),
    ...(ms === undefined ? [] : [`time=${timeWord(ms)}`]),
    ...(cost === undefined ? [] : [`cost=${cost.amount}${cost.unit}`]),
  ];
}

export function twinOf<C extends ChangeName>(change: C, task: string, body: ChangeBodies[C]): string {
  return joinCommand(['staffetta', ...twins[change](task, body)]);
}

/** The same with words in place of what is not known yet. */
export const twinForms: Readonly<Record<ChangeName, string>> = {
  verdict: 'staffetta review TASK --approve --packet DIGEST',
  open: 'staffetta open GOAL --to WHO',
  again: 'staffetta open --again TASK',
  'let-be': 'staffetta inbox --let-be TASK',
  complete: 'staffetta complete TASK',
  pause: 'staffetta pause TASK --until TIME',
  continue: 'staffetta continue TASK',
  phase: 'staffetta phase approve TASK PHASE',
  settle: 'staffetta settle TASK EFFECT --done',
  tell: 'staffetta tell TASK TEXT',
  answer: 'staffetta decide TASK ANSWER --answer N',
  redrive: 'staffetta dead TASK --again --why WHY',
  reassign: 'staffetta reassign TASK --to WHO --why WHY',
  extend: 'staffetta extend TASK --lease TIME --why WHY',
  escalate: 'staffetta escalate TASK --why WHY',
  cancel: 'staffetta cancel TASK --why WHY',
  steer: 'staffetta steer RUN --pause --why WHY',
};

function verdictWords(body: ChangeBodies['verdict']): Words {
  const binds = [
    ...option('packet', body.binds.packet ?? undefined),
    ...option('contract', body.amended === true ? body.binds.contract : undefined),
  ];
  if (body.approve) return ['--approve', ...binds, ...option('why', body.why)];
  return [...body.findings.flatMap(findingWords), ...binds, ...option('to', body.to)];
}

function findingWords(finding: ReviewFinding): Words {
  const { path, line, text } = finding;
  if (line !== undefined) return option('comment', findingText(finding));
  if (path !== undefined) return option('comment', `${path}:: ${text}`);
  // A remark on the whole may look as if it began with a path.
  return option('send-back', findingFrom(text).text === text ? text : `: ${text}`);
}

/** A value that begins with a dash would be taken for an option. */
function option(name: string, value: string | undefined): Words {
  if (value === undefined) return [];
  return value.startsWith('-') ? [`--${name}=${value}`] : [`--${name}`, value];
}

function timeWord(ms: number): string {
  const units = [
    ['h', 3_600_000],
    ['m', 60_000],
    ['s', 1000],
  ] as const;
  const fit = units.find(([, unit]) => ms % unit === 0);
  return fit === undefined ? `${ms}ms` : `${ms / fit[1]}${fit[0]}`;
}

/** A run as it goes on: a line for each thing that happened, and what is left at its end. */
import { defined } from '../../core/base/defined.ts';
import { counted } from '../../core/base/counted.ts';
import type { PlanStep } from '../../core/plan/diff-plan.ts';
import { forPeople, waitWords } from '../../core/plan/plan-wait.ts';
import { runBranch, type RunDocument } from '../../core/plan/run-document.ts';
import { plannedTasks } from '../../core/plan/work-plan.ts';
import { isIntegrated } from '../../crew/reconcile.ts';
import { answerTo } from '../../desk/crew/run-now.ts';
import { runId } from '../../crew/run-names.ts';
import type { RunSight } from '../../crew/run-sight.ts';
import type { EndOfRun } from '../../crew/take-run.ts';
import type { Status } from '../../core/task/state.ts';
import { formatAgo, formatClock, formatDuration } from '../frame/duration.ts';
import { line, type Output } from '../frame/output.ts';

/** Of what nothing moves in, this many are named. */
const quietMax = 5;

/** Tells what changed since it was last told, to people on stderr and as lines of JSON on stdout. */
export class RunLog {
  readonly #output: Pick<Output, 'say' | 'json' | 'piece'>;
  readonly #live = new Set<string>();
  readonly #waits = new Map<string, string>();
  readonly #ofRun = new Map<string, string | null>();
  #isBegun = false;

  constructor(output: Pick<Output, 'say' | 'json' | 'piece'>, { name, plan }: RunDocument) {
    this.#output = output;
    output.say(`Run ${name}: ${counted(Object.keys(plan.tasks).length, 'task')}. ${line(plan.goal)}`);
  }

  see({ document, statuses, changed, live, failed, stuck, paused, phase }: RunSight): void {
    for (const { task, agent, why } of failed) {
      this.#tell(task, `failed with ${agent}: ${why}`);
      this.#live.delete(`${task} with ${agent}`);
    }
    for (const task of changed) {
      const status = statuses.get(task);
      if (status !== undefined && told.has(status) && this.#isBegun)
        this.#tell(task, toldWords(status), status);
    }
    const now = new Map(
      live.map((leg) => [`${leg.task} ${leg.isReview ? 'looked at by' : 'with'} ${leg.agent}`, leg]),
    );
    for (const [words, { task, agent, runtime, isReview }] of now) {
      if (this.#live.has(words)) continue;
      const where = runtime === null ? '' : ` in ${runtime}`;
      this.#tell(task, `${isReview ? 'is looked at by' : 'is worked on by'} ${agent}${where}`);
    }
    this.#live.clear();
    for (const words of now.keys()) this.#live.add(words);
    this.#tellWaits(
      stuck().map((wait) => {
        const words = waitWords(wait, formatClock);
        if (!forPeople.has(wait.on)) return [wait.task, words] as const;
        const answer = answerTo(document.name, wait, statuses.get(wait.task));
        return [wait.task, `${words.replace(/\.$/, '')}. Answer it: ${answer}`] as const;
      }),
    );
    this.#tellOnce('paused', paused === null ? null : `Paused: ${paused}`);
    const approve = `staffetta phase approve ${runId(document.name)} ${JSON.stringify(phase)}`;
    this.#tellOnce('phase', phase === null ? null : `Phase ${phase} waits for a person: ${approve}`);
    this.#isBegun = true;
  }

  /** Where nothing has moved for long: who is at what, and what the rest waits for. */
  quiet({ document: { name }, live, waits }: RunSight, ms: number): void {
    const now = Date.now();
    const words = [
      ...live.map(
        ({ task, agent, signs: { seenAt } }) => `${task} is with ${agent}, seen ${formatAgo(seenAt, now)}`,
      ),
      ...waits()
        .filter(({ on }) => on !== 'needs')
        .map((wait) => `${wait.task} ${waitWords(wait, formatClock)}`),
    ];
    const more = words.length > quietMax ? `; and ${words.length - quietMax} more` : '';
    const shown = words.slice(0, quietMax).join('; ');
    this.#ofItself(`Nothing has moved in ${name} for ${formatDuration(ms)}: ${shown}${more}.`);
  }

  held({ name }: RunDocument): void {
    this.#ofItself(
      `Another supervisor has the run ${name}. This one waits, and takes over if that one ends.`,
    );
  }

  /** Only what a person can do something about. */
  #tellWaits(waits: readonly (readonly [task: string, words: string])[]): void {
    const now = new Map(waits);
    for (const task of this.#waits.keys()) if (!now.has(task)) this.#waits.delete(task);
    for (const [task, words] of now) {
      if (this.#waits.get(task) === words) continue;
      this.#waits.set(task, words);
      this.#tell(task, words);
    }
  }

  /** About the run itself. */
  #tellOnce(what: string, words: string | null): void {
    if (words !== null && this.#ofRun.get(what) !== words) this.#ofItself(words);
    this.#ofRun.set(what, words);
  }

  #ofItself(words: string): void {
    if (this.#output.json) void this.#output.piece(`${JSON.stringify({ task: null, what: words })}\n`);
    else this.#output.say(line(words), 'warn');
  }

  #tell(task: string, words: string, status?: Status): void {
    if (this.#output.json)
      void this.#output.piece(`${JSON.stringify({ task, what: words, ...defined({ status }) })}\n`);
    else
      this.#output.say(
        `${line(task)} ${line(words)}`,
        status === 'failed' || status === 'escalated' ? 'bad' : undefined,
      );
  }
}

const told: ReadonlySet<Status> = new Set([
  'submitted',
  'approved',
  'done',
  'rework',
  'lapsed',
  'escalated',
  'failed',
  'cancelled',
]);

function toldWords(status: Status): string {
  switch (status) {
    case 'submitted':
      return 'is handed in';
    case 'approved':
      return 'is approved, and waits to be integrated';
    case 'rework':
      return 'goes back to its author';
    case 'lapsed':
      return 'was left, and is on offer again';
    case 'escalated':
      return 'is put before a person';
    default:
      return `is ${status}`;
  }
}

export function runEndText(
  document: RunDocument,
  { how, statuses }: EndOfRun,
  kept: readonly string[] = [],
): string {
  const { name, plan, crew } = document;
  const done = [...statuses.values()].filter((status) => status === 'done').length;
  const left = [...statuses].filter(([, status]) => status !== 'done' && status !== 'cancelled');
  const isMerged = plannedTasks(plan, crew).some(
    (task) => statuses.get(task.name) === 'done' && isIntegrated(document, task),
  );
  const branch = runBranch(name);
  const where = isMerged ? ` Their work is on the branch ${branch}.` : '';
  const head = {
    done: `The run ${name} is done: ${counted(done, 'task')}.${where}`,
    failed: `The run ${name} failed; ${counted(done, 'task')} done.${where}`,
    cancelled: `The run ${name} was cancelled; ${counted(done, 'task')} done.${where} What is left in its trees: staffetta sweep --trees ${name} --dry-run`,
    idle: `Nothing moves in the run ${name} before a person does; ${counted(done, 'task')} done.${where} See: staffetta inbox. Then go on: staffetta run --name ${name}`,
    stopped: `The run ${name} was stopped; ${counted(done, 'task')} done. Go on: staffetta run --name ${name}`,
  }[how];
  const trees =
    kept.length === 0
      ? []
      : [
          `Trees that were kept: ${kept.map((one) => line(one)).join('; ')}`,
          `What would be lost with them: staffetta sweep --trees ${name} --dry-run`,
        ];
  const over = isMerged ? [`To take it over: git merge ${branch}`] : [];
  return [
    head,
    ...over,
    ...left.slice(0, 25).map(([task, status]) => `  ${line(task)}: ${status}`),
    ...trees,
  ].join('\n');
}

export function planChangeText(steps: readonly PlanStep[]): string {
  return ['The plan changes what runs:', ...steps.map((step) => `  ${line(stepWords(step))}`)].join('\n');
}

function stepWords(step: PlanStep): string {
  switch (step.act) {
    case 'open':
      return `open ${step.task}`;
    case 'amend':
      return `amend ${step.task}: ${step.fields.join(', ')}${step.holder === null ? '' : ` (${step.holder} is at it)`}`;
    case 'cancel':
      return `cancel ${step.task}${step.holder === null ? '' : ` (${step.holder} is at it)`}`;
    case 'too-late':
      return `${step.task} is ${step.status}, and stays as it is`;
  }
}

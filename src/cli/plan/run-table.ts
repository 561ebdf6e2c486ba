/**
 * A run as it stands, below the lines of what happened: who holds what, how far it is, what was used, who waits for the reader. Drawn over
 * itself; what is not shown is not read, so that a plan of thousands costs no more than its dozen of lines.
 */
import { counted } from '../../core/base/counted.ts';
import { sanitizeLine } from '../../core/base/sanitize.ts';
import { waitWords, type PlanWait } from '../../core/plan/plan-wait.ts';
import type { RunDocument } from '../../core/plan/run-document.ts';
import type { TaskState } from '../../core/task/state.ts';
import { plannedId } from '../../crew/run-names.ts';
import type { LiveLeg, RunSight } from '../../crew/run-sight.ts';
import { standingWords, standsAs, type StandingWord } from '../../desk/crew/run-overview.ts';
import type { Context } from '../../handoff/record/context.ts';
import { findState } from '../../handoff/record/load.ts';
import { formatClock, formatDuration } from '../frame/duration.ts';
import type { Output } from '../frame/output.ts';
import { table } from '../frame/table.ts';
import { fitWidth } from '../frame/width.ts';
import { progressWords } from '../pages/progress-words.ts';

const everyMs = 500;
const nameMin = 8;
/** Longer than this without a sign of an agent is worth a word. */
const silentMs = 60_000;
const order: readonly StandingWord[] = ['needs you', 'in work', 'stopped', 'waiting', 'done'];

interface Line {
  readonly task: string;
  readonly stands: StandingWord;
  readonly live: LiveLeg | undefined;
  readonly wait: PlanWait | undefined;
}

export class RunTable {
  readonly #context: Context;
  readonly #output: Output;
  readonly #used = new Map<string, { readonly status: string; readonly tokens: number }>();
  readonly #timer: NodeJS.Timeout;
  readonly #since: number;
  #sight: RunSight | undefined;
  #isDrawing = false;
  #isOver = false;
  #shown = '';

  constructor(context: Context, output: Output) {
    this.#context = context;
    this.#output = output;
    this.#since = context.clock.now();
    this.#timer = setInterval(() => void this.#draw(), everyMs);
    this.#timer.unref();
  }

  see(sight: RunSight): void {
    this.#sight = sight;
  }

  /** What is said there stands above the table. */
  get above(): Pick<Output, 'say' | 'json' | 'piece'> {
    const { json } = this.#output;
    return {
      json,
      piece: async (text) => await this.#output.piece(text),
      say: (text, color) => {
        this.#output.passing('');
        this.#output.say(text, color);
        this.#output.passing(this.#shown);
      },
    };
  }

  close(): void {
    this.#isOver = true;
    clearInterval(this.#timer);
    this.#shown = '';
    this.#output.passing('');
  }

  async #draw(): Promise<void> {
    const sight = this.#sight;
    if (sight === undefined || this.#isDrawing) return;
    this.#isDrawing = true;
    try {
      const lines = linesOf(sight);
      const shown = lines.filter(({ stands }) => stands !== 'done').slice(0, this.#room());
      const states = new Map<string, TaskState | undefined>();
      for (const { task } of shown) states.set(task, await this.#stateOf(sight.document, task));
      await this.#count(sight);
      const drawn = this.#text(sight, lines, { shown, states });
      if (drawn === this.#shown || this.#isOver) return;
      this.#shown = drawn;
      this.#output.passing(drawn);
    } catch {
      // A store that is busy now is asked again in half a second; what happens is told in any case.
    } finally {
      this.#isDrawing = false;
    }
  }

  #room(): number {
    return Math.max(1, Math.min(12, this.#output.wordsHeight - 4));
  }

  async #stateOf({ name }: RunDocument, task: string): Promise<TaskState | undefined> {
    return await findState(this.#context, plannedId(name, task));
  }

  /** What was used is asked for when a task has moved, or is worked on. */
  async #count({ document, statuses, live }: RunSight): Promise<void> {
    const busy = new Set(live.map(({ task }) => task));
    for (const [task, status] of statuses) {
      if (this.#used.get(task)?.status === status && !busy.has(task)) continue;
      const state = await this.#stateOf(document, task);
      this.#used.set(task, { status, tokens: state?.usage?.tokens ?? 0 });
    }
  }

  #text(
    sight: RunSight,
    lines: readonly Line[],
    {
      shown,
      states,
    }: { readonly shown: readonly Line[]; readonly states: ReadonlyMap<string, TaskState | undefined> },
  ): string {
    const { paint } = this.#output;
    const now = this.#context.clock.now();
    const tokens = [...this.#used.values()].reduce((sum, used) => sum + used.tokens, 0);
    const counts = standingWords.flatMap((word) => {
      const count = lines.filter(({ stands }) => stands === word).length;
      return count === 0 ? [] : [`${count} ${word}`];
    });
    const head = [
      `Run ${sight.document.name}: ${counts.join(', ')}`,
      ...(tokens === 0 ? [] : [counted(tokens, 'token')]),
      formatDuration(Math.floor((now - this.#since) / 1000) * 1000),
      ...(sight.paused === null ? [] : ['paused']),
      ...(sight.phase === null ? [] : [`the phase ${sight.phase} waits for you`]),
    ].join(' · ');
    // No line may be broken by the terminal: what is drawn over is counted in lines.
    const width = this.#output.wordsWidth - 1;
    const rows = shown.map((line) => {
      const [task = '', ...cells] = cellsOf(line, states.get(line.task), now);
      return [fitWidth(task, Math.max(nameMin, Math.floor(width / 3))), ...cells];
    });
    const hidden = lines.filter(({ stands }) => stands !== 'done').length - shown.length;
    return [
      paint.bold(fitWidth(sanitizeLine(head), width)),
      ...(rows.length === 0
        ? []
        : [
            table(rows, {
              width,
              paint: (cell, row) =>
                shown[row]?.stands === 'needs you'
                  ? paint.warn(cell)
                  : shown[row]?.live === undefined
                    ? paint.dim(cell)
                    : cell,
            }),
          ]),
      ...(hidden > 0 ? [paint.dim(`and ${hidden} more`)] : []),
    ].join('\n');
  }
}

function linesOf({ statuses, live, waits, document }: RunSight): Line[] {
  const working = new Map(live.map((leg) => [leg.task, leg]));
  const waiting = new Map(waits().map((wait) => [wait.task, wait]));
  return Object.keys(document.plan.tasks)
    .map((task): Line => {
      const wait = waiting.get(task);
      const isHeld = working.has(task) || statuses.get(task) === 'held';
      const stands = standsAs({ status: statuses.get(task), isHeld, on: wait?.on });
      return { task, stands, live: working.get(task), wait };
    })
    .toSorted((a, b) => order.indexOf(a.stands) - order.indexOf(b.stands));
}

function cellsOf({ task, stands, live, wait }: Line, state: TaskState | undefined, now: number): string[] {
  const holder = state?.leg?.holder;
  const agent = live?.agent ?? holder?.name;
  const runtime = live?.runtime ?? holder?.runtime ?? null;
  const who = agent === undefined ? '' : `${agent}${runtime === null ? '' : ` in ${runtime}`}`;
  const tokens = Math.max(state?.usage?.tokens ?? 0, live?.signs.usage.tokens ?? 0);
  const silence = live === undefined ? 0 : now - live.signs.seenAt;
  const words = [
    ...(live?.isReview === true ? ['looks at it'] : []),
    ...(silence > silentMs ? [`silent for ${formatDuration(Math.floor(silence / 60_000) * 60_000)}`] : []),
    ...(wait === undefined ? [] : [waitWords(wait, formatClock)]),
    ...(live === undefined || live.signs.words === '' ? [] : [live.signs.words]),
  ];
  return [
    task,
    stands,
    who,
    state?.progress === null || state?.progress === undefined ? '' : progressWords(state.progress),
    tokens === 0 ? '' : counted(tokens, 'token'),
    words.join(', '),
  ];
}

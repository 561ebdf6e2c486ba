/**
 * What becomes of the steps before a compaction or a rollback. A compaction replaces the history by `replacement_history`: messages
 * that were kept have their old id there (or, in older files, their old text), the rest is gone for the model.
 */
import { saidIn, summaryKind, type Said } from './context.ts';
import { fieldsOf, has, listIn, numberIn, textIn, type Fields } from './schema.ts';
import type { Losses, StepMoment, OpenStep, Steps } from './steps.ts';

/** How much of a kept message must agree: long ones are shortened in their middle. */
const sameChars = 200;

export interface Compaction {
  readonly payload: Fields;
  readonly moment: StepMoment;
  /** Steps by the native id of their message. */
  readonly messages: ReadonlyMap<string, OpenStep>;
}

export function compact(steps: Steps, compaction: Compaction, losses: Losses): void {
  const { payload, moment } = compaction;
  const kept = new Set<OpenStep>();
  const before = [...steps.live()];
  const beginnings = new Beginnings(before);
  let summary = textIn(payload, 'message') ?? '';
  if (!has(payload, 'replacement_history')) {
    // Before 0.3x only the summary was written: the user's messages were kept, everything else was not.
    for (const step of before) if (step.source === 'user') kept.add(step);
  }
  for (const item of listIn(payload, 'replacement_history').map(fieldsOf)) {
    if (textIn(item, 'type') !== 'message') {
      if (textIn(item, 'encrypted_content') !== null) {
        losses.add('compaction-encrypted', 'the summary can be read by the service that wrote it alone');
      }
      continue;
    }
    const id = textIn(item, 'id');
    const known = id === null ? undefined : compaction.messages.get(id);
    if (known !== undefined) {
      kept.add(known);
      continue;
    }
    for (const said of saidIn(item)) {
      if (said.kind === summaryKind) summary ||= said.text;
      else if (said.source !== 'system' && said.text !== summary) {
        // The step it was, or, where there is none, a step of its own.
        const was = beginnings.take(said);
        if (was !== undefined) kept.add(was);
        else steps.add(said.source, moment, said.text).spoken = true;
      }
    }
  }
  for (const step of before) if (!kept.has(step)) step.aside = 'compacted';
  const step = steps.add('system', moment, summary);
  step.mark = 'compaction';
  if (summary !== '') step.summary = 'compaction';
}

/** Steps by how they begin, to find those again that were kept without an id. */
class Beginnings {
  readonly #steps = new Map<string, OpenStep[]>();

  constructor(steps: readonly OpenStep[]) {
    for (const step of steps.toReversed()) {
      const key = keyOf(step);
      const same = this.#steps.get(key);
      if (same === undefined) this.#steps.set(key, [step]);
      else same.push(step);
    }
  }

  /** The oldest that was not taken yet. */
  take(said: Said): OpenStep | undefined {
    return this.#steps.get(keyOf(said))?.pop();
  }
}

function keyOf({ source, text }: Pick<Said, 'source' | 'text'>): string {
  return `${source} ${text.slice(0, sameChars)}`;
}

/** The last turns were taken back: from the user's message on that began the first of them. */
export function rollBack(steps: Steps, payload: Fields): void {
  const turns = Math.max(0, numberIn(payload, 'num_turns') ?? 0);
  const live = steps.live();
  const begun = live.filter(({ source }) => source === 'user');
  const first = begun.at(-Math.min(turns, begun.length));
  if (turns === 0 || first === undefined) return;
  for (const step of live) if (step.id >= first.id) step.aside = 'branch-left';
}

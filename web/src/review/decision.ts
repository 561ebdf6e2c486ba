/** What is sent when somebody decides, apart from how it looks. */
import { findingText } from '../../../src/core/task/finding-words.ts';
import type { VerdictBody } from '../../../src/server/contract/change-bodies.ts';
import type { ReviewQueue } from '../../../src/server/contract/contract.ts';
import { isAt, withComment, type LineComment } from '../diff/comment.ts';

export type Binds = VerdictBody['binds'];
type Finding = Extract<VerdictBody, { approve: false }>['findings'][number];

export interface Draft {
  readonly comments: readonly LineComment[];
  /** About the whole. */
  readonly remark: string;
  /** Why it is approved. */
  readonly why: string;
}

export const noDraft: Draft = { comments: [], remark: '', why: '' };

export function isEmpty(draft: Draft): boolean {
  return !hasRemarks(draft) && draft.why.trim() === '';
}

export function hasRemarks({ comments, remark }: Draft): boolean {
  return comments.length > 0 || remark.trim() !== '';
}

/** Both, with nothing of either lost; where they speak of one line, the second one's words follow the first one's. */
export function together(a: Draft, b: Draft): Draft {
  let { comments } = a;
  for (const { text, ...spot } of b.comments) {
    const same = comments.find((one) => isAt(one, spot));
    comments = withComment(comments, spot, joined(same?.text ?? '', text));
  }
  return { comments, remark: joined(a.remark, b.remark), why: joined(a.why, b.why) };
}

function joined(...texts: readonly string[]): string {
  return [...new Set(texts)].filter((text) => text.trim() !== '').join('\n\n');
}

/** What was said of the whole comes first. A line that is gone is named as it was counted before. */
export function findingsOf({ comments, remark }: Omit<Draft, 'why'>): Finding[] {
  const text = remark.trim();
  return [...(text === '' ? [] : [{ text }]), ...comments.map(findingOf)];
}

function findingOf({ path, side, line, text }: LineComment): Finding {
  return { path, line, ...(side === 'old' ? { side } : {}), text: text.trim() };
}

/** What was remarked goes on record with the approval, below the reason: an approval has findings of its own nowhere else. */
export function approvalOf(binds: Binds, why: string, draft: Omit<Draft, 'why'> = noDraft): VerdictBody {
  const text = [why.trim(), ...findingsOf(draft).map(findingText)].filter((part) => part !== '').join('\n\n');
  return { approve: true, binds, ...(text === '' ? {} : { why: text }) };
}

export function sentBack(binds: Binds, draft: Omit<Draft, 'why'>, to: string): VerdictBody {
  const findings = findingsOf(draft);
  return {
    approve: false,
    binds,
    findings,
    ...(to === '' ? {} : { to }),
  };
}

/** The same with words in place of what is still to be said: a command is shown from the beginning. */
export function withBlanks(body: VerdictBody, isReasoned: boolean): VerdictBody {
  if (!body.approve) return body.findings.length > 0 ? body : { ...body, findings: [{ text: 'TEXT' }] };
  return isReasoned && body.why === undefined ? { ...body, why: 'TEXT' } : body;
}

/** An approval over what the gate holds against it needs a reason. */
export function needsReason(findings: readonly { readonly severity: string }[]): boolean {
  return findings.some(({ severity }) => severity !== 'note');
}

/**
 * One key for one decision: pressed twice, or sent again after a lost answer, it is the same wish. Another decision gets another key,
 * for a key that was used for something else is refused.
 */
export class Keys {
  readonly #known = new Map<string, string>();
  readonly #make: () => string;

  constructor(make: () => string = () => crypto.randomUUID()) {
    this.#make = make;
  }

  of(task: string, body: VerdictBody): string {
    const wish = JSON.stringify([task, body]);
    const known = this.#known.get(wish) ?? this.#make();
    this.#known.set(wish, known);
    return known;
  }
}

const parts = ['packet', 'contract', 'diff', 'findings'] as const;
type Part = (typeof parts)[number];

export interface Changed {
  readonly part: Part;
  readonly looked: string | null;
  readonly now: string | null;
}

/** What is another now than when it was looked at. */
export function changedBetween(looked: Binds, now: Binds): readonly Changed[] {
  return parts
    .filter((part) => looked[part] !== now[part])
    .map((part) => ({ part, looked: looked[part], now: now[part] }));
}

/** The same as a refusal tells it; what cannot be read as such is left out. */
export function changedFrom(details: unknown): readonly Changed[] {
  const list = (details as { changed?: unknown } | undefined)?.changed;
  if (!Array.isArray(list)) return [];
  return list.filter(
    (one: unknown): one is Changed =>
      typeof one === 'object' && one !== null && parts.includes((one as Changed).part),
  );
}

/** The one that was submitted next, or else the oldest. */
export function nextAfter(reviews: ReviewQueue['reviews'], task: string, at: number): string | undefined {
  const others = reviews.filter(({ card }) => card.task !== task);
  return (others.find((one) => one.at >= at) ?? others[0])?.card.task;
}

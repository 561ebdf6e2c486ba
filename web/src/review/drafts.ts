/** What somebody has written about a submission and not sent yet. Kept by task and packet until the verdict. */
import { signal, type Signal } from '@preact/signals';
import type { LineComment } from '../diff/comment.ts';
import { forget, keep, kept } from '../parts/kept.ts';
import { isEmpty, noDraft, type Draft } from './decision.ts';

const kind = 'draft';
const most = 200;
const open = new Map<string, Signal<Draft>>();

function nameOf(task: string, packet: string | null): string {
  return `${task}:${packet ?? 'none'}`;
}

export function draftOf(task: string, packet: string | null): Signal<Draft> {
  const name = nameOf(task, packet);
  const found = open.get(name);
  if (found !== undefined) return found;
  const made = signal(read(kept(kind, name)));
  open.set(name, made);
  return made;
}

export function writeDraft(task: string, packet: string | null, draft: Draft): void {
  const name = nameOf(task, packet);
  draftOf(task, packet).value = draft;
  if (isEmpty(draft)) forget(kind, name);
  else keep({ kind, name, most }, draft);
}

/** The browser's shelf can be written by others: only what has the shape of a draft is one. */
export function read(value: unknown): Draft {
  if (typeof value !== 'object' || value === null) return noDraft;
  const { comments, remark, why } = value as Partial<Record<keyof Draft, unknown>>;
  return {
    comments: Array.isArray(comments) ? comments.filter(isComment) : [],
    remark: typeof remark === 'string' ? remark : '',
    why: typeof why === 'string' ? why : '',
  };
}

function isComment(value: unknown): value is LineComment {
  if (typeof value !== 'object' || value === null) return false;
  const { path, side, line, quote, text } = value as Partial<Record<keyof LineComment, unknown>>;
  return (
    [path, quote, text].every((one) => typeof one === 'string') &&
    (side === 'old' || side === 'new') &&
    Number.isInteger(line)
  );
}

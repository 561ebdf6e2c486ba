/** Requests to the server this page came from, and to no other. */
import { defined } from '../../../src/core/base/defined.ts';
import { signal } from '@preact/signals';
import { Refusal, unreachable, type ProblemDetails } from './refusal.ts';

type Query = Readonly<Record<string, string | number | boolean | readonly string[] | undefined>>;

/** The cookie is over, or was revoked: every page says so. */
export const signedOut = signal(false);

export async function get<T>(path: string, query: Query = {}, signal?: AbortSignal): Promise<T> {
  const answer = await askServer(withQuery(path, query), defined({ signal }));
  return (await answer.json()) as T;
}

export async function getText(path: string, signal?: AbortSignal): Promise<string> {
  return await (await askServer(path, defined({ signal }))).text();
}

/** Line by line, as they come. */
export async function* getLines(path: string): AsyncGenerator<string> {
  const reader = (await askServer(path, {})).body?.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  for (;;) {
    const piece = await reader?.read();
    if (piece?.value === undefined) break;
    const lines = (rest + piece.value).split('\n');
    rest = lines.pop() ?? '';
    yield* lines;
  }
  if (rest !== '') yield rest;
}

/** `key` makes a repetition of the same wish harmless; it is kept by the form whose button may be pressed twice. */
export async function post<T>(path: string, body: unknown, key: string = crypto.randomUUID()): Promise<T> {
  const answer = await askServer(path, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'Idempotency-Key': key },
    body: JSON.stringify(body),
  });
  return (await answer.json()) as T;
}

export function taskPath(task: string, ...rest: readonly string[]): string {
  return ['/api/tasks', task, ...rest]
    .map((part, n) => (n === 0 ? part : encodeURIComponent(part)))
    .join('/');
}

export function withQuery(path: string, query: Query): string {
  const text = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value === undefined) continue;
    text.set(name, Array.isArray(value) ? value.join(',') : String(value));
  }
  return text.size === 0 ? path : `${path}?${text.toString()}`;
}

let leaving = false;

/** Nothing is asked for while signing out: it would be refused, or come too late. */
export async function leave(): Promise<void> {
  const sending = post('/api/sign-out', {});
  leaving = true;
  try {
    await sending;
    signedOut.value = true;
  } finally {
    leaving = false;
  }
}

async function askServer(path: string, init: RequestInit): Promise<Response> {
  if (leaving || signedOut.value) throw new DOMException('Signing out.', 'AbortError');
  let answer: Response;
  try {
    answer = await fetch(path, { credentials: 'same-origin', redirect: 'error', ...init });
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') throw error;
    throw unreachable(error instanceof Error ? error.message : String(error));
  }
  if (answer.ok) return answer;
  if (answer.status === 401) signedOut.value = true;
  throw await refused(answer);
}

async function refused(answer: Response): Promise<Refusal> {
  try {
    const problem = (await answer.json()) as ProblemDetails;
    if (typeof problem.code === 'string' && typeof problem.detail === 'string') return new Refusal(problem);
  } catch {
    // Not ours, or cut off.
  }
  return unreachable(`it said ${answer.status}`);
}

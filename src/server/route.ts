/** One route as data: the router, the checks and the OpenAPI document are all made from it. */
import type * as z from 'zod/mini';
import type { Runtime } from '../ports/runtime.ts';
import type { WordIndex } from '../ports/word-index.ts';
import type { TaskId } from '../core/journal/id.ts';
import type { Context } from '../handoff/record/context.ts';
import type { Call } from '../handoff/record/record.ts';
import type { Grant } from './access/grant.ts';
import type { InTurn } from './in-turn.ts';
import type { Voice } from './live.ts';
import type { ServerLife } from './access/life.ts';
import type { RunLooks } from '../desk/crew/run-overview.ts';
import type { Pulse } from './pulse.ts';
import type { Stories } from './stories.ts';
import type { Tokens } from './access/tokens.ts';
import type { Verb } from './contract/verbs.ts';

export interface Shared {
  readonly context: Context;
  readonly tokens: Tokens;
  readonly life: ServerLife;
  readonly runtimes: () => Promise<readonly Runtime[]>;
  /** The index of the store's words. */
  readonly words: () => Promise<WordIndex>;
  readonly stories: Stories;
  readonly runs: RunLooks;
  readonly pulse: Pulse;
  /** Where the server was started, and sessions are looked for. */
  readonly folder?: string | undefined;
  /** Looking at a workspace starts git and reads files. */
  readonly surveys: InTurn;
}

/** What a handler is given. Whatever is wrong with a request is refused before. */
export interface RouteCall<Q = unknown, B = unknown> extends Shared {
  readonly grant: Grant;
  /** The task in the path. */
  readonly task: TaskId;
  readonly params: Readonly<Record<string, string>>;
  readonly query: Q;
  readonly body: B;
  readonly call: Call;
  /** An answer that goes on, in the place of one that is whole. */
  readonly listen: (voice: Voice) => Promise<Response>;
}

/** An answer that is no JSON. */
export interface Plain {
  readonly media: string;
  readonly text: string | Uint8Array | AsyncIterable<Uint8Array>;
  /** Saved under this name, not shown. */
  readonly file?: string;
  /** The content security policy, where the usual one would take its style away. */
  readonly policy?: string;
}

export interface Route {
  readonly id: string;
  readonly method: 'get' | 'post';
  /** `:task` is resolved and held against the token's scope. */
  readonly path: string;
  readonly summary: string;
  /** Null: for everybody who has a token at all. */
  readonly verb: Verb | null;
  /** Also for tokens that are bound to one task, though it is not about one. */
  readonly bound?: true;
  readonly query?: z.ZodMiniObject;
  readonly body?: z.ZodMiniType;
  readonly answer: z.ZodMiniType | { readonly media: string };
  readonly handle: (asked: RouteCall<never, never>) => Promise<unknown>;
}

interface Typed<Q extends z.ZodMiniObject, B extends z.ZodMiniType> extends Omit<
  Route,
  'query' | 'body' | 'handle'
> {
  readonly query?: Q;
  readonly body?: B;
  readonly handle: (asked: RouteCall<z.infer<Q>, z.infer<B>>) => Promise<unknown>;
}

/** Gives a handler the types of its own schemas. */
export function route<Q extends z.ZodMiniObject, B extends z.ZodMiniType>(given: Typed<Q, B>): Route {
  return given;
}

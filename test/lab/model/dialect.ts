/**
 * What the lab's model must know of a vendor's protocol: which requests are its own, what a request tells the model, and how an
 * answer or a refusal looks. Every dialect fills in the same form.
 */
export interface Dialect {
  readonly name: 'anthropic' | 'responses' | 'gemini' | 'chat';
  /** Requests for an answer of the model, and no others. */
  answers(path: string): boolean;
  streams(path: string, body: unknown): boolean;
  /** All that the model is told, in the order in which it stands there. */
  said(body: unknown): readonly Said[];
  /** The names of the tools on offer. */
  tools(body: unknown): readonly string[];
  answer(speech: Speech, asked: Asked): Answer;
  failure(kind: Failure): Refusal;
}

export type Said =
  | { readonly by: 'user' | 'agent' | 'system'; readonly text: string }
  | { readonly by: 'call'; readonly id: string; readonly tool: string; readonly args: unknown }
  | { readonly by: 'result'; readonly id: string; readonly text: string };

/** One answer of the model. */
export interface Speech {
  readonly thinking?: string;
  readonly text?: string;
  readonly call?: {
    readonly tool: string;
    /** Of a tool that is offered among others of its server. */
    readonly namespace?: string;
    readonly args: Readonly<Record<string, unknown>>;
  };
  /** Tokens that the model claims to have read; by default a quarter of the bytes. */
  readonly tokens?: number;
}

export interface Asked {
  readonly path: string;
  readonly body: unknown;
  /** Tokens to report as read. */
  readonly tokens: number;
  /** A new id with this beginning. */
  readonly id: (beginning: string) => string;
}

export interface Answer {
  /** For a request that does not stream. */
  readonly whole: unknown;
  /** Lines of a stream of events, each frame as it is sent. */
  readonly frames: readonly string[];
}

/** A limit of the account lasts for hours, a rate limit for seconds; the third is a request that will never pass. */
export const failures = ['usage-limit', 'rate-limit', 'bad-request'] as const;
export type Failure = (typeof failures)[number];

export interface Refusal {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
}

export function frame(data: unknown, event?: string): string {
  const said = typeof data === 'string' ? data : JSON.stringify(data);
  return `${event === undefined ? '' : `event: ${event}\n`}data: ${said}\n\n`;
}

/** In two pieces, so that the reader of a stream must put them together. */
export function pieces(text: string): readonly string[] {
  const middle = Math.ceil(text.length / 2);
  return [text.slice(0, middle), text.slice(middle)].filter((piece) => piece !== '');
}

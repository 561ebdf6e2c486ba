/** A tool as data: what it is called, what it takes and gives, and what it does. */
import type { CallToolResult, ToolAnnotations } from '@modelcontextprotocol/server';
import type * as z from 'zod/mini';
import { isStaffettaError, StaffettaError } from '../core/base/error.ts';
import { parse } from '../core/base/parse.ts';
import { suggest } from '../core/base/suggest.ts';
import { errorResult, resultOf, type ToolAnswer } from './words/answer.ts';
import { toolSchemaOf, withFences } from './schema.ts';
import type { Visit } from './visit.ts';

export interface ToolSpec<I extends z.ZodMiniObject, O extends z.ZodMiniObject> {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly annotations: ToolAnnotations;
  readonly input: I;
  /** Which texts of the data are the words of others. */
  readonly output: O;
  readonly run: (args: z.output<I>, visit: Visit) => Promise<ToolAnswer<z.output<O>>>;
}

export interface Tool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly annotations: ToolAnnotations;
  readonly input: Record<string, unknown>;
  /** Never throws for what a caller or a store did. */
  readonly call: (args: unknown, visit: () => Visit) => Promise<CallToolResult>;
}

/** Nothing here reaches beyond the store and the workspace. What is not said is so by default: it writes, and twice is not once. */
const closed = { openWorldHint: false };

export const annotations = {
  reads: { ...closed, readOnlyHint: true },
  /** Adds to a journal, from which nothing is ever taken away; the same call twice adds twice, but for a key. */
  adds: { ...closed, destructiveHint: false },
} as const;

export function tool<I extends z.ZodMiniObject, O extends z.ZodMiniObject>(spec: ToolSpec<I, O>): Tool {
  const { name, title, description, annotations: hints, input, output, run } = spec;
  return {
    name,
    title,
    description,
    annotations: hints,
    input: toolSchemaOf(input),
    async call(args, visit) {
      try {
        const { data, text } = await run(checked(name, input, args ?? {}), visit());
        return resultOf({ data: withFences(output, data) as object, text });
      } catch (error) {
        return errorResult(error);
      }
    },
  };
}

function checked<I extends z.ZodMiniObject>(name: string, input: I, args: unknown): z.output<I> {
  refuseUnknown(name, Object.keys(input.shape), args);
  try {
    return parse(input, args, name);
  } catch (error) {
    if (!isStaffettaError(error, 'invalid-input')) throw error;
    const wanted = describedIn(input, error.details['issues']);
    throw new StaffettaError('invalid-input', error.message, {
      details: error.details,
      hint: `${wanted.join(' ')}${wanted.length === 0 ? `What ${name} takes is in its input schema.` : ''} Nothing was changed.`,
      cause: error,
    });
  }
}

/** What the arguments that are wrong are for, in the words of the schema. */
function describedIn(input: z.ZodMiniObject, issues: unknown): string[] {
  const schema = toolSchemaOf(input);
  const { properties = {}, required = [] } = schema as {
    properties?: Readonly<
      Record<string, { readonly description?: string; readonly enum?: readonly string[] }>
    >;
    required?: readonly string[];
  };
  const names = new Set(
    (Array.isArray(issues) ? issues : []).map((issue) => String(issue).split(/[.:]/)[0] ?? ''),
  );
  return [...names].flatMap((name) => {
    const { description, enum: choices } = properties[name] ?? {};
    if (description === undefined && choices === undefined) return [];
    const what = [description, choices?.join(', ')].filter((one) => one !== undefined).join(': ');
    return [`${name}${required.includes(name) ? ' (needed)' : ''} takes: ${what}.`];
  });
}

function refuseUnknown(name: string, known: readonly string[], args: unknown): void {
  if (typeof args !== 'object' || args === null) return;
  const strange = Object.keys(args).find((field) => !known.includes(field));
  if (strange === undefined) return;
  const near = suggest(strange, known);
  throw new StaffettaError(
    'invalid-input',
    `${name}: there is no argument ${JSON.stringify(strange.slice(0, 100))}.`,
    {
      hint: `${near === undefined ? '' : `Did you mean ${near}? `}There are: ${known.join(', ')}. Nothing was changed.`,
    },
  );
}

/** Leaves out what is undefined, for exact optional properties. */
export function said<T extends object>(given: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>;
  };
}

/** What a request says, read within bounds of size and time, and checked by the schemas of its route. */
import type * as z from 'zod/mini';
import { StaffettaError } from '../core/base/error.ts';
import { jsonSchemaOf } from '../core/files/json-schema.ts';
import { parse } from '../core/base/parse.ts';
import { IdempotencyKey } from '../core/base/text.ts';
import { utf8 } from '../core/base/utf8.ts';
import type { Clock } from '../ports/clock.ts';
import type { ServerLimits } from './limits.ts';
import { HttpRefusal } from './problem.ts';

type Field = { readonly type?: string };

/** A query has only texts; the schema says which of them are numbers, flags and lists. */
export function queryFrom(url: URL, shape: z.ZodMiniObject | undefined): unknown {
  const given: Record<string, unknown> = {};
  const fields = (shape === undefined ? {} : (jsonSchemaOf(shape)['properties'] ?? {})) as Record<
    string,
    Field
  >;
  for (const [name, text] of url.searchParams) {
    if (!Object.hasOwn(fields, name))
      throw new StaffettaError('invalid-input', `query: unknown field ${JSON.stringify(name.slice(0, 40))}`, {
        hint: `There are: ${Object.keys(fields).join(', ') || 'none'}`,
      });
    given[name] = valueOf(text, fields[name]?.type);
  }
  return shape === undefined ? {} : parse(shape, given, 'query');
}

function valueOf(text: string, type: string | undefined): unknown {
  if (type === 'integer') return /^\d{1,15}$/.test(text) ? Number(text) : text;
  if (type === 'boolean') return text === 'true' ? true : text === 'false' ? false : text;
  if (type === 'array') return text.split(',');
  return text;
}

export function keyFrom(request: Request): string | undefined {
  const given = request.headers.get('idempotency-key');
  return given === null ? undefined : parse(IdempotencyKey, given, 'Idempotency-Key');
}

export async function bodyFrom(
  request: Request,
  shape: z.ZodMiniType | undefined,
  { clock, limits }: { readonly clock: Clock; readonly limits: ServerLimits },
): Promise<unknown> {
  if (shape === undefined) {
    await request.body?.cancel();
    return undefined;
  }
  const media = request.headers.get('content-type')?.split(';')[0]?.trim().toLowerCase();
  // A form of another site can be sent without asking; JSON cannot.
  if (media !== 'application/json')
    throw new HttpRefusal('wrong-media', 'The body must be JSON.', {
      hint: 'Send it with Content-Type: application/json',
    });
  const bytes = await withinTime(request, { clock, limits });
  let value: unknown;
  try {
    value = JSON.parse(utf8(bytes));
  } catch (cause) {
    throw new StaffettaError('invalid-input', 'The body is not JSON.', { cause });
  }
  return parse(shape, value, 'body');
}

async function withinTime(
  request: Request,
  { clock, limits }: { readonly clock: Clock; readonly limits: ServerLimits },
): Promise<Uint8Array> {
  const arrived = new AbortController();
  const slow = clock.sleep(limits.bodyMs, arrived.signal).then(
    (): Uint8Array => {
      throw new HttpRefusal('body-too-slow', `The body took longer than ${limits.bodyMs / 1000} s.`, {
        hint: 'Send it at once.',
      });
    },
    () => new Uint8Array(),
  );
  try {
    return await Promise.race([withinSize(request, limits.bodyBytesMax), slow]);
  } finally {
    arrived.abort();
  }
}

async function withinSize(request: Request, max: number): Promise<Uint8Array> {
  const tooLarge = (): HttpRefusal =>
    new HttpRefusal('body-too-large', `The body has more than ${max} bytes.`, {
      hint: 'Put long content into a file of the workspace and name its path.',
    });
  if (Number(request.headers.get('content-length') ?? 0) > max) throw tooLarge();
  if (request.body === null) return new Uint8Array();
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  const reader = request.body.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return Buffer.concat(pieces);
    bytes += value.length;
    if (bytes > max) {
      reader.cancel().catch(() => {});
      throw tooLarge();
    }
    pieces.push(value);
  }
}

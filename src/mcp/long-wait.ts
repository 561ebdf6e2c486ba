/**
 * The Tasks extension of the protocol, for the tool `wait`: a client that knows it gets a handle in place of a call that lasts, and asks with
 * `tasks/get` how it stands. The handle says what is waited for, and since when: it is read again by the process that is asked, which may be another. Nothing is
 * kept but which handles were called off here. It gives no rights: each look is made as the one who asks.
 */
import {
  CLIENT_CAPABILITIES_META_KEY,
  MissingRequiredClientCapabilityError,
  ProtocolError,
  ProtocolErrorCode,
  type CallToolResult,
  type McpServer,
  type ServerContext,
} from '@modelcontextprotocol/server';
import * as z from 'zod/mini';
import { fieldsOf, own, partIn, textIn } from '../core/transcript/loose-json.ts';
import type { Visit } from './visit.ts';
import { secondsOf, wait, waitedFor } from './tools/wait.ts';

export const tasksExtension = 'io.modelcontextprotocol/tasks';

const pollMs = 2000;
const calledOffMax = 10_000;

const Handle = z.strictObject({
  for: z.enum(waitedFor),
  task: z.nullable(z.string()),
  from: z.int().check(z.minimum(0)),
  seconds: z.int().check(z.minimum(1)),
});
type Handle = z.output<typeof Handle>;

/** Which waits were called off, by whom: the newest of them. */
export class CalledOff {
  readonly #handles = new Set<string>();

  add(by: string, id: string): void {
    this.#handles.add(`${by}\n${id}`);
    const [oldest] = this.#handles;
    if (oldest !== undefined && this.#handles.size > calledOffMax) this.#handles.delete(oldest);
  }

  has(by: string, id: string): boolean {
    return this.#handles.has(`${by}\n${id}`);
  }
}

function knowsTasks({ mcpReq }: ServerContext): boolean {
  const capabilities = partIn(fieldsOf(mcpReq.envelope), CLIENT_CAPABILITIES_META_KEY);
  return partIn(partIn(capabilities, 'extensions'), tasksExtension) !== null;
}

/** What comes at once comes at once; else a handle, where the client can ask for the rest. Null: this is a call like any other. */
export async function handleFor(
  args: unknown,
  context: ServerContext,
  visit: Visit,
): Promise<CallToolResult | null> {
  const seconds = knowsTasks(context) ? secondsOf(args) : null;
  if (seconds === null || seconds === 0) return null;
  const first = await wait.call({ ...fieldsOf(args), seconds: 0 }, () => visit);
  const found = fieldsOf(first.structuredContent);
  const what = waitedFor.find((one) => one === textIn(fieldsOf(args), 'for'));
  if (what === undefined || first.isError === true || own(found, 'happened') === true) return first;
  const from = (await visit.place.context()).clock.now();
  const handle: Handle = { for: what, task: textIn(found, 'task'), from, seconds };
  // The library wants the content of every answer of a tool.
  return { resultType: 'task', ...toldOf(handle, 'working', from), content: [] };
}

export function serveLongWaits(
  { server }: McpServer,
  visitOf: (context: ServerContext) => Visit,
  calledOff: CalledOff,
): void {
  server.setRequestHandler('tasks/get', { params: Asked }, async ({ taskId }, context) => {
    const visit = visitFor(context, visitOf);
    const handle = handleIn(taskId);
    const now = (await visit.place.context()).clock.now();
    if (calledOff.has(visit.by.name, taskId)) return toldOf(handle, 'cancelled', now);
    const { for: what, task, from, seconds } = handle;
    const result = await wait.call(
      { for: what, seconds: 0, ...(task === null ? {} : { task }) },
      () => visit,
    );
    const isOver =
      result.isError === true ||
      own(fieldsOf(result.structuredContent), 'happened') === true ||
      now >= from + seconds * 1000;
    return isOver ? { ...toldOf(handle, 'completed', now), result } : toldOf(handle, 'working', from);
  });
  server.setRequestHandler('tasks/cancel', { params: Asked }, ({ taskId }, context) => {
    const { by } = visitFor(context, visitOf);
    handleIn(taskId);
    calledOff.add(by.name, taskId);
    return {};
  });
  // A wait asks its client nothing.
  server.setRequestHandler('tasks/update', { params: Asked }, ({ taskId }, context) => {
    visitFor(context, visitOf);
    handleIn(taskId);
    return {};
  });
}

const Asked = z.looseObject({ taskId: z.string() });

function visitFor(context: ServerContext, visitOf: (context: ServerContext) => Visit): Visit {
  // Earlier revisions of the protocol mean something else by these names.
  if (context.mcpReq.envelope === undefined)
    throw new ProtocolError(ProtocolErrorCode.MethodNotFound, 'Method not found');
  if (!knowsTasks(context))
    throw new MissingRequiredClientCapabilityError({
      requiredCapabilities: { extensions: { [tasksExtension]: {} } },
    });
  return visitOf(context);
}

const beginning = 'wait-';

function idOf(handle: Handle): string {
  return beginning + Buffer.from(JSON.stringify(handle)).toString('base64url');
}

function handleIn(id: string): Handle {
  try {
    if (id.startsWith(beginning))
      return z.parse(Handle, JSON.parse(Buffer.from(id.slice(beginning.length), 'base64url').toString()));
  } catch {
    // None of ours.
  }
  throw new ProtocolError(
    ProtocolErrorCode.InvalidParams,
    'There is no such task of the protocol: call wait again.',
  );
}

function toldOf(handle: Handle, status: 'working' | 'completed' | 'cancelled', updatedAt: number): TaskTold {
  return {
    taskId: idOf(handle),
    status,
    createdAt: new Date(handle.from).toISOString(),
    lastUpdatedAt: new Date(updatedAt).toISOString(),
    // A handle does not grow old.
    ttlMs: null,
    pollIntervalMs: pollMs,
  };
}

interface TaskTold {
  [name: string]: unknown;
  taskId: string;
  status: string;
  createdAt: string;
  lastUpdatedAt: string;
  ttlMs: number | null;
  pollIntervalMs: number;
}

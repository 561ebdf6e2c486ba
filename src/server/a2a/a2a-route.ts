/**
 * Agent2Agent 1.0 (https://a2a-protocol.org/v1.0.0/specification), by JSON-RPC at one address. Tokens, rates and bounds are those of every
 * route. A message opens a task or speaks to one; its id is the idempotency key. No call waits: a task takes as long as its agents do, and is
 * asked for, or listened to.
 */
import { defined, filled } from '../../core/base/defined.ts';
import * as z from 'zod/mini';
import { isStaffettaError } from '../../core/base/error.ts';
import { parse } from '../../core/base/parse.ts';
import { IdempotencyKey, Text } from '../../core/base/text.ts';
import { isTaskId, type TaskId } from '../../core/journal/id.ts';
import { cardOf, type Card } from '../../core/task/card.ts';
import { isFinal } from '../../core/task/state.ts';
import { findState, load, resolveTask } from '../../handoff/record/load.ts';
import { open } from '../../handoff/verbs/open.ts';
import { cancelWhole } from '../../crew/steering/steer-run.ts';
import { answer, tell } from '../../handoff/verbs/outside.ts';
import { refuseVerb } from '../access/access.ts';
import { Nothing } from '../contract/contract.ts';
import type { Verb } from '../contract/verbs.ts';
import { route, type Route, type RouteCall } from '../route.ts';
import { taskVoice } from './task-voice.ts';
import { endStates, statusesIn, toldCard, toldTask, type ToldTask } from './told-task.ts';

type Asked = Pick<RouteCall, 'context' | 'grant' | 'call' | 'listen'> & {
  readonly id: string | number | null;
};

const Rpc = z.object({
  jsonrpc: z.literal('2.0'),
  id: z.optional(z.union([z.string(), z.int(), z.null()])),
  method: z.string(),
  params: z.optional(z.record(z.string(), z.unknown())),
});

const Named = z.object({ id: Text });

const SentMessage = z.object({
  message: z.object({
    messageId: IdempotencyKey,
    taskId: z.optional(z.string()),
    role: z.literal('ROLE_USER'),
    parts: z.array(z.object({ text: z.optional(Text) })).check(z.minLength(1)),
    metadata: z.optional(z.object({ decision: z.optional(z.int()) })),
  }),
});

const ListAsked = z.object({
  contextId: z.optional(z.string()),
  status: z.optional(z.string()),
  pageSize: z.optional(z.int().check(z.minimum(1), z.maximum(100))),
  pageToken: z.optional(z.string()),
  statusTimestampAfter: z.optional(z.string()),
});

/** Codes of JSON-RPC and of A2A. */
const codes = {
  request: -32600,
  method: -32601,
  params: -32602,
  task: -32001,
  cancel: -32002,
  push: -32003,
  unsupported: -32004,
  content: -32005,
} as const;

class RpcRefusal extends Error {
  readonly code: number;

  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}

type Method = (asked: Asked, params: unknown) => Promise<unknown>;

const methods: Readonly<Record<string, Method>> = {
  SendMessage: async (asked, params) => ({ task: await sendMessage(asked, params) }),
  async SendStreamingMessage(asked, params) {
    refuseVerb(asked.grant, 'read');
    return await listening(asked, (await sendMessage(asked, params)).id);
  },
  async SubscribeToTask(asked, params) {
    const { id, status } = await told(asked, await taskIn(asked, parse(Named, params, 'params').id, 'read'));
    if (endStates.has(status.state)) throw new RpcRefusal(codes.unsupported, `Task ${id} is over.`);
    return await listening(asked, id);
  },
  async GetTask(asked, params) {
    return await told(asked, await taskIn(asked, parse(Named, params, 'params').id, 'read'));
  },
  ListTasks: listTasks,
  async CancelTask(asked, params) {
    const task = await taskIn(asked, parse(Named, params, 'params').id, 'direct');
    const { state } = await load(asked.context, task);
    if (isFinal(state)) throw new RpcRefusal(codes.cancel, `Task ${task} is ${state.status}.`);
    await cancelWhole(asked.context, task, 'Cancelled over A2A.', asked.call);
    return await told(asked, task);
  },
};

/** There, and not here. */
const missing: Readonly<Record<string, number>> = {
  GetExtendedAgentCard: codes.unsupported,
  CreateTaskPushNotificationConfig: codes.push,
  GetTaskPushNotificationConfig: codes.push,
  ListTaskPushNotificationConfigs: codes.push,
  DeleteTaskPushNotificationConfig: codes.push,
};

async function sendMessage(asked: Asked, params: unknown): Promise<ToldTask> {
  const { message } = parse(SentMessage, params, 'params');
  const texts = message.parts.map(({ text }) => text);
  const said = texts.filter((text) => text !== undefined).join('\n\n');
  if (texts.includes(undefined))
    throw new RpcRefusal(codes.content, 'Only parts with a text are understood here.');
  const call = { ...asked.call, key: message.messageId };
  if (message.taskId === undefined || message.taskId === '') {
    refuseVerb(asked.grant, 'direct');
    const { state } = await open(asked.context, { goal: said, review: { human: true } }, {}, call);
    return await told(asked, state.task);
  }
  const task = await taskIn(asked, message.taskId, 'tell');
  const { state } = await load(asked.context, task);
  if (isFinal(state)) throw new RpcRefusal(codes.unsupported, `Task ${task} is ${state.status}.`);
  const only = state.raised.length === 1 ? state.raised[0]?.decision : undefined;
  const decision = message.metadata?.decision ?? only;
  if (decision === undefined) await tell(asked.context, task, said, call);
  else await answer(asked.context, task, { decision, answer: said }, call);
  return await told(asked, task);
}

async function listening({ context, listen, id }: Asked, task: TaskId): Promise<Response> {
  return await listen(taskVoice(context, task, id));
}

async function listTasks(asked: Asked, params: unknown): Promise<unknown> {
  refuseVerb(asked.grant, 'read');
  const {
    contextId = '',
    status = '',
    pageSize = 50,
    pageToken = '',
    ...more
  } = parse(ListAsked, params, 'params');
  const since = Date.parse(more.statusTimestampAfter ?? '1970-01-01');
  if (Number.isNaN(since)) throw new RpcRefusal(codes.params, 'statusTimestampAfter is no time.');
  const isAny = status === '' || status === 'TASK_STATE_UNSPECIFIED';
  const statuses = isAny ? undefined : (statusesIn(status) ?? []);
  const paged = (cards: readonly Card[], nextPageToken = ''): object => {
    const tasks = cards.filter(({ updatedAt }) => updatedAt > since).map(toldCard);
    return { tasks, nextPageToken, pageSize, totalSize: tasks.length };
  };
  if (statuses?.length === 0) return paged([]);
  // Each task is a context of its own.
  if (contextId !== '') {
    const state = isTaskId(contextId) ? await findState(asked.context, contextId) : undefined;
    return paged(state === undefined || statuses?.includes(state.status) === false ? [] : [cardOf(state)]);
  }
  if (pageToken !== '' && !/^\d+:\d+$/.test(pageToken))
    throw new RpcRefusal(codes.params, 'pageToken is what the last page ended with.');
  const { cards, next } = await asked.context.store.catalog.list({
    limit: pageSize,
    ...defined({ statuses }),
    ...filled({ cursor: pageToken }),
  });
  return paged(cards, next);
}

async function told({ context }: Asked, task: TaskId): Promise<ToldTask> {
  return await toldTask(context, (await load(context, task)).state);
}

async function taskIn(asked: Asked, given: string, verb: Verb): Promise<TaskId> {
  refuseVerb(asked.grant, verb);
  return await resolveTask(asked.context, given);
}

function refusalOf(error: unknown): {
  readonly code: number;
  readonly message: string;
  readonly data?: object[];
} {
  if (error instanceof RpcRefusal) return { code: error.code, message: error.message };
  if (!isStaffettaError(error)) throw error;
  const { code: reason, message, hint = '' } = error;
  const isUnknown = reason === 'unknown-task' || reason === 'ambiguous-task';
  const code = isUnknown ? codes.task : reason === 'invalid-input' ? codes.params : codes.unsupported;
  const info = {
    '@type': 'type.googleapis.com/google.rpc.ErrorInfo',
    reason,
    domain: 'staffetta',
    metadata: { hint },
  };
  return { code, message, data: [info] };
}

const a2aPath = '/a2a';

export const a2aRoute: Route = route({
  id: 'a2a',
  method: 'post',
  path: a2aPath,
  summary:
    'Agent2Agent 1.0 over JSON-RPC: SendMessage, GetTask, ListTasks, CancelTask; SendStreamingMessage and SubscribeToTask answer with a stream of events',
  verb: null,
  query: Nothing,
  body: z.unknown(),
  answer: z.looseObject({ jsonrpc: z.literal('2.0') }),
  async handle({ body, ...asked }) {
    const rpc = Rpc.safeParse(body);
    if (!rpc.success)
      return failed(null, { code: codes.request, message: 'That is no request of JSON-RPC 2.0.' });
    const { id = null, method, params = {} } = rpc.data;
    try {
      const found = Object.hasOwn(methods, method) ? methods[method] : undefined;
      const code = (Object.hasOwn(missing, method) ? missing[method] : undefined) ?? codes.method;
      if (found === undefined) throw new RpcRefusal(code, `There is no ${method} here.`);
      const result = await found({ ...asked, id }, params);
      return result instanceof Response ? result : { jsonrpc: '2.0', id, result };
    } catch (error) {
      return failed(id, refusalOf(error));
    }
  },
});

function failed(id: string | number | null, error: object): object {
  return { jsonrpc: '2.0', id, error };
}

/** What the server says of itself before anybody has a token: nothing that is not known anyway. */
export function agentCard(origin: string, version: string): object {
  return {
    name: 'Staffetta',
    description: 'Takes work in, and has agents do it: one task, one holder, reviewed before it is done.',
    version,
    supportedInterfaces: [{ url: `${origin}${a2aPath}`, protocolBinding: 'JSONRPC', protocolVersion: '1.0' }],
    capabilities: { streaming: true, pushNotifications: false, extendedAgentCard: false },
    securitySchemes: {
      token: { httpAuthSecurityScheme: { scheme: 'Bearer', description: 'staffetta token create' } },
    },
    securityRequirements: [{ schemes: { token: { list: [] } } }],
    defaultInputModes: ['text/plain'],
    defaultOutputModes: ['application/json'],
    skills: [
      {
        id: 'handoff',
        name: 'Durable work',
        description:
          'A message opens a task that agents take, hand over, prove and submit; a packet is an artifact.',
        tags: ['handoff', 'review'],
      },
    ],
  };
}

/** A2A by the protocol's own client: every state that a task comes to, and what is refused. */
import {
  Role,
  TaskState,
  verifyAgentCardSignature,
  type AgentCard,
  type StreamResponse,
  type Task,
} from '@a2a-js/sdk';
import {
  ClientFactory,
  ClientFactoryOptions,
  DefaultAgentCardResolver,
  JsonRpcTransportFactory,
  type Client,
} from '@a2a-js/sdk/client';
import { createPublicKey } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { TaskId } from '../../src/core/journal/id.ts';
import { fixedSigner, publicKeyOf } from '../support/fixed-signer.ts';
import { ada, eve, stage } from '../support/world.ts';
import { fence, House, newHouse, origin } from './house.ts';

/** The client as its users make it, with our server in the place of the network. */
async function clientOf(house: House, token: string): Promise<Client> {
  const fetchImpl = async (url: string | URL | Request, init: RequestInit = {}): Promise<Response> => {
    const headers = new Headers(init.headers);
    headers.set('host', new URL(origin).host);
    if (token !== '') headers.set('authorization', `Bearer ${token}`);
    return await house.app.fetch(new Request(url, { ...init, headers }));
  };
  const options = ClientFactoryOptions.createFrom(ClientFactoryOptions.default, {
    transports: [new JsonRpcTransportFactory({ fetchImpl })],
    cardResolver: new DefaultAgentCardResolver({ fetchImpl }),
  });
  return await new ClientFactory(options).createFromUrl(origin);
}

function said(text: string, taskId = '', messageId = `m-${text}`): Parameters<Client['sendMessage']>[0] {
  const part = {
    content: { $case: 'text' as const, value: text },
    metadata: undefined,
    filename: '',
    mediaType: '',
  };
  return {
    tenant: '',
    message: {
      messageId,
      contextId: '',
      taskId,
      role: Role.ROLE_USER,
      parts: [part],
      metadata: undefined,
      extensions: [],
      referenceTaskIds: [],
    },
    configuration: undefined,
    metadata: undefined,
  };
}

const named = (id: string): { tenant: string; id: string; metadata: undefined } => ({
  tenant: '',
  id,
  metadata: undefined,
});

function rpc(method: string, params: unknown): object {
  return { jsonrpc: '2.0', id: 1, method, params };
}

test('a message opens a task, and the client sees it submitted, working, asking, answered, waiting for review and completed', async () => {
  const house = newHouse();
  const { staffetta } = house.at;
  const client = await clientOf(house, await house.token(eve));
  const opened = (await client.sendMessage(said('The fence holds a cow.'))) as Task;
  const task = opened.id as TaskId;
  const stateNow = async (): Promise<TaskState | undefined> =>
    (await client.getTask(named(task))).status?.state;
  expect([opened.status?.state, await stateNow()]).toEqual([
    TaskState.TASK_STATE_SUBMITTED,
    TaskState.TASK_STATE_SUBMITTED,
  ]);
  expect((await client.sendMessage(said('The fence holds a cow.'))) as Task).toMatchObject({ id: task });
  const leg = await staffetta.take({ task, as: ada });
  await leg?.acknowledge();
  expect(await stateNow()).toBe(TaskState.TASK_STATE_WORKING);
  await client.sendMessage(said('Mind the gate.', task));
  expect(await leg?.messages()).toMatchObject([{ text: 'Mind the gate.' }]);
  await leg?.ask('Oak or pine?');
  const asks = await client.getTask(named(task));
  expect(asks.status).toMatchObject({
    state: TaskState.TASK_STATE_INPUT_REQUIRED,
    message: { parts: [{ content: { value: 'Oak or pine?' } }] },
  });
  await client.sendMessage(said('Oak.', task));
  expect(await stateNow()).toBe(TaskState.TASK_STATE_WORKING);
  await leg?.submit({ claims: { summary: 'It stands.' } });
  const waiting = await client.getTask(named(task));
  expect(waiting.status?.state).toBe(TaskState.TASK_STATE_INPUT_REQUIRED);
  const { packet } = await staffetta.show(task);
  expect(waiting.artifacts).toMatchObject([
    {
      artifactId: packet,
      parts: [{ content: { $case: 'data', value: { claims: { summary: 'It stands.' } } } }],
    },
  ]);
  await staffetta.review(task, { approve: true, packet: packet ?? '' } as never, { as: eve });
  expect(await stateNow()).toBe(TaskState.TASK_STATE_COMPLETED);
  await expect(client.sendMessage(said('More.', task))).rejects.toThrow('is done');
  await expect(client.cancelTask(named(task))).rejects.toThrow('is done');
});

test('a stream tells the task and what becomes of it, ends where the client has something to do, and begins with the whole again', async () => {
  const house = new House(stage(), { pollMs: 10 });
  const { staffetta, clock } = house.at;
  const client = await clientOf(house, await house.token(eve));
  const reading = async (stream: ReturnType<Client['sendMessageStream']>): Promise<string | undefined> => {
    const read: IteratorResult<StreamResponse, void>[] = [];
    void stream.next().then((one) => read.push(one));
    while (read.length === 0) {
      await clock.advance(10);
      await nextTurn();
    }
    const { payload } = read[0]?.value ?? {};
    if (payload === undefined) return undefined;
    const state =
      payload.$case === 'artifactUpdate' || payload.$case === 'message'
        ? undefined
        : payload.value.status?.state;
    return state === undefined ? payload.$case : `${payload.$case} ${TaskState[state]}`;
  };
  const first = client.sendMessageStream(said('The fence holds a cow.'));
  expect(await reading(first)).toBe('task TASK_STATE_SUBMITTED');
  const task = (await staffetta.list()).cards[0]?.task ?? '';
  const leg = await staffetta.take({ task, as: ada });
  expect(await reading(first)).toBe('statusUpdate TASK_STATE_WORKING');
  await staffetta.open(fence, { as: eve });
  await leg?.acknowledge();
  await leg?.note('Nothing for a client.');
  await leg?.ask('Oak or pine?');
  expect(await reading(first)).toBe('statusUpdate TASK_STATE_INPUT_REQUIRED');
  expect(await reading(first)).toBeUndefined();
  const second = client.sendMessageStream(said('Oak.', task));
  expect(await reading(second)).toBe('task TASK_STATE_WORKING');
  await leg?.submit({ claims: { summary: 'It stands.' } });
  expect(await reading(second)).toBe('artifactUpdate');
  expect(await reading(second)).toBe('statusUpdate TASK_STATE_INPUT_REQUIRED');
  expect(await reading(second)).toBeUndefined();
  const third = client.resubscribeTask(named(task));
  expect(await reading(third)).toBe('task TASK_STATE_INPUT_REQUIRED');
  const { packet } = await staffetta.show(task);
  await staffetta.review(task, { approve: true, packet }, { as: eve });
  expect(await reading(third)).toBe('statusUpdate TASK_STATE_COMPLETED');
  expect(await reading(third)).toBeUndefined();
  await expect(client.resubscribeTask(named(task)).next()).rejects.toThrow('is over');
  const left = client.sendMessageStream(said('Another.'));
  expect(await reading(left)).toBe('task TASK_STATE_SUBMITTED');
  expect(house.app.listeners.count).toBe(1);
  await left.return();
  expect(house.app.listeners.count).toBe(0);
  expect(house.bugs).toEqual([]);
});

test('cancelled, failed and declined tasks are canceled, failed and rejected, and are listed by their state', async () => {
  const house = newHouse();
  const { staffetta } = house.at;
  const client = await clientOf(house, await house.token(eve));
  const { id } = (await client.sendMessage(said('Dig.'))) as Task;
  expect((await client.cancelTask(named(id))).status?.state).toBe(TaskState.TASK_STATE_CANCELED);
  const leg = await staffetta.begin(fence, { as: ada });
  await leg.fail('no wood');
  expect((await client.getTask(named(leg.task))).status?.state).toBe(TaskState.TASK_STATE_FAILED);
  const { task } = await staffetta.open(fence, { as: eve });
  await (await staffetta.take({ task, as: ada }))?.decline(['too vague']);
  expect((await client.getTask(named(task))).status?.state).toBe(TaskState.TASK_STATE_REJECTED);
  const asked = { tenant: '', contextId: '', pageToken: '', statusTimestampAfter: undefined };
  const all = await client.listTasks({ ...asked, status: TaskState.TASK_STATE_UNSPECIFIED });
  expect(all.tasks.map((one) => one.id).toSorted()).toEqual([id, leg.task, task].toSorted());
  const some = await client.listTasks({ ...asked, status: TaskState.TASK_STATE_REJECTED });
  expect(some.tasks.map((one) => one.id)).toEqual([task]);
  const listed = async (more: object): Promise<readonly string[]> =>
    (await client.listTasks({ ...asked, status: TaskState.TASK_STATE_UNSPECIFIED, ...more })).tasks.map(
      (one) => one.id,
    );
  expect(await listed({ contextId: leg.task })).toEqual([leg.task]);
  expect(await listed({ contextId: 'of another' })).toEqual([]);
  const now = new Date(house.at.clock.now());
  expect(await listed({ statusTimestampAfter: now })).toEqual([]);
});

test('a token allows what it allows elsewhere, and what has no shape, or is not there, is refused in the words of the protocol', async () => {
  const house = newHouse();
  const { task } = await house.at.staffetta.open(fence, { as: eve });
  await expect((await clientOf(house, '')).getTask(named(task))).rejects.toThrow(/401/);
  const reader = await clientOf(house, await house.token(eve, { verbs: ['read'] }));
  await expect(reader.sendMessage(said('Dig.'))).rejects.toThrow(/403/);
  const bound = await clientOf(house, await house.token(ada, { task, generation: null }));
  await expect(bound.getTask(named(task))).rejects.toThrow(/403/);
  await expect(reader.getTask(named('tzzzzzzzzzzzz'))).rejects.toThrow('There is no task');
  const token = await house.token(eve);
  const codeOf = async (body: unknown): Promise<unknown> =>
    ((await house.post('/a2a', token, body)).json['error'] as { code: number } | undefined)?.code;
  expect(await codeOf({ hello: 1 })).toBe(-32600);
  expect(await codeOf(rpc('message/send', {}))).toBe(-32601);
  expect(await codeOf(rpc('toString', {}))).toBe(-32601);
  expect(await codeOf(rpc('SendMessage', { message: { parts: 'x' } }))).toBe(-32602);
  const message = { messageId: 'm', role: 'ROLE_USER', parts: [{ raw: 'AAAA' }] };
  expect(await codeOf(rpc('SendMessage', { message }))).toBe(-32005);
  const mayTell = await clientOf(house, await house.token(eve, { verbs: ['tell', 'direct'] }));
  await expect(mayTell.sendMessageStream(said('Dig.')).next()).rejects.toThrow(/403/);
  expect((await house.at.staffetta.list()).cards).toHaveLength(1);
  expect(await codeOf(rpc('SubscribeToTask', { id: 'tzzzzzzzzzzzz' }))).toBe(-32001);
  expect(await codeOf(rpc('CreateTaskPushNotificationConfig', {}))).toBe(-32003);
  expect(house.bugs).toEqual([]);
});

test('the card is signed by the key of the store, and one that was changed is told by it', async () => {
  const { json } = await new House(stage({ signer: fixedSigner })).ask('/.well-known/agent-card.json');
  const verify = verifyAgentCardSignature(
    async () =>
      await Promise.resolve(createPublicKey({ key: publicKeyOf('staffetta'), format: 'der', type: 'spki' })),
  );
  const card = json as unknown as AgentCard;
  await expect(verify(card)).resolves.toBeUndefined();
  const [there] = card.supportedInterfaces;
  const led = { ...card, supportedInterfaces: [{ ...there, url: 'https://elsewhere.example/a2a' }] };
  await expect(verify(led as AgentCard)).rejects.toThrow('No valid signatures');
  expect((await newHouse().ask('/.well-known/agent-card.json')).json['signatures']).toBeUndefined();
});

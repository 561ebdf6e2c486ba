/**
 * The package as a TypeScript user meets it: every verb is called once, and every value it takes or returns is named by a type that
 * the package exports. That it compiles is half of the test.
 */
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import {
  Leg,
  openStaffetta,
  Staffetta,
  type Address,
  type AmendInput,
  type As,
  type CardPage,
  type CarryEvent,
  type Clock,
  type Contract,
  type ContractInput,
  type Digest,
  type EffectHandle,
  type Handler,
  type HandoffInput,
  type OfferTerms,
  type Once,
  type OpenOptions,
  type Packet,
  type PacketInput,
  type Recorded,
  type Recovery,
  type RecoverOptions,
  type Restatement,
  type StaffettaOptions,
  type Store,
  type SweepOptions,
  type Swept,
  type TakeOptions,
  type TaskId,
  type TaskState,
  type TaskLook,
  type TimelineLeg,
  type Verdict,
  type Verification,
  type WaitingMessage,
  type Who,
  type Worker,
  type WorkerOptions,
  type Exported,
  type PhaseOutcome,
  type PhaseView,
  type Ran,
  type RecordedRun,
  type SealedRecord,
  type ForkInput,
  type Imported,
  type ImportedTask,
  type ImportSource,
} from '../src/index.ts';
import { bareBones } from './support/bare-bones.ts';
import { readVerbs } from './support/read-verbs.ts';
import { crewVerbs } from './support/crew-verbs.ts';

let folder: string;
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'staffetta-facade-')));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const you: Who = { name: 'you', kind: 'human' };
const coder: Who = { name: 'code', lane: 'execute' };
const byYou: As = { as: you };
const handler: Handler = async (leg) => await leg.complete();

/** There must be one. */
function given<T>(value: T | undefined | null): T {
  if (value === undefined || value === null) throw new Error('nothing was given');
  return value;
}

async function direct(relay: Staffetta): Promise<void> {
  const contract: ContractInput = { goal: 'A fence', review: { human: true } };
  const options: OpenOptions & As = { draft: true, as: you };
  const drafted: TaskLook = await relay.open(contract, options);
  const task: TaskId = await relay.resolve(drafted.task.slice(0, 8));
  const terms: OfferTerms = { to: 'agent:code', lane: 'execute' };
  await relay.offer(task, terms, byYou);
  await relay.withdraw(task, { why: 'wait' }, byYou);
  await relay.offer(task, terms, byYou);
  await relay.decline(task, ['busy'], { as: coder });
  await relay.redrive(task, { to: 'anyone' }, byYou);
  const amendment: AmendInput = { change: { constraints: ['Use oak.'] }, why: 'agreed' };
  await relay.amend(task, amendment, byYou);
  await relay.tell(task, 'Hurry.', byYou);
  const taking: TakeOptions & As = { as: coder, leaseMs: 60_000 };
  const leg: Leg = given(await relay.take({ ...taking, task }));
  await leg.acknowledge();
  await relay.note(task, leg.generation, 'begun', { as: coder });
  const question: number = await leg.ask('How high?');
  await relay.answer(task, { decision: question, answer: 'Two metres.' }, byYou);
  const same: Leg = await relay.leg(task, { as: coder, generation: leg.generation });
  const submitted: Recorded = await same.submit();
  const packet: Digest = given(submitted.state.packet);
  const verdict: Verdict = { approve: true, packet };
  await relay.review(task, verdict, byYou);
  const read: Packet = await relay.packet(packet);
  const agreed: Contract = await relay.contract(read.contract);
  expect(agreed.constraints).toEqual(['Use oak.']);
}

async function look(relay: Staffetta, to: string): Promise<void> {
  const page: CardPage = await relay.list({ limit: 10 });
  const { task } = given(page.cards[0]);
  const shown: TaskLook = await relay.show(task);
  const legs: TimelineLeg[] = await relay.timeline(task);
  await readVerbs(relay, task);
  expect([shown.status, legs.length]).toEqual(['done', 1]);
  const options: RecoverOptions = { dryRun: true };
  const recovery: Recovery = await relay.recover(options);
  const verification: Verification = await relay.verify();
  expect([recovery.lapsed, verification.faults]).toEqual([[], []]);
  const copy: { readonly bytes: number } = await relay.backup(to);
  expect(copy.bytes).toBeGreaterThan(0);
  const stuck = await relay.open({ goal: 'Stuck' }, { as: you });
  await relay.escalate(stuck.task, 'Help.', byYou);
  await relay.cancel(stuck.task, 'Flood.', byYou);
  const how: WorkerOptions = { leaseMs: 1000 };
  const worker: Worker = relay.worker(coder, handler, how);
  expect(await worker.drain()).toBe(0);
  const sweeping: SweepOptions = { olderThanMs: 0, dryRun: true };
  const swept: Swept = await relay.sweep(sweeping);
  expect(swept.tasks.length).toBe(2);
  const store: Store = relay.store;
  expect(store.address.shown).toContain('.db');
}

async function carry(relay: Staffetta): Promise<void> {
  const leg = await relay.begin({ goal: 'Carry' }, { as: coder });
  const words: Partial<Restatement> = { next: 'dig' };
  const once: Once = { key: 'ack' };
  await leg.acknowledge(words, once);
  await leg.note('stones');
  await leg.decide('Oak', { why: 'it lasts' });
  await leg.ruleOut('glue', 'wet');
  await leg.progress(1, { of: 3 });
  await leg.keep('mine', Buffer.from('{}'));
  const events: CarryEvent[] = [{ type: 'note', text: 'x' }];
  const carried: Recorded = await leg.carry(events);
  await relay.tell(leg.task, 'Mind the dog.', byYou);
  const messages: WaitingMessage[] = await leg.messages();
  await leg.markRead(messages);
  const packet: PacketInput = { claims: { done: ['one'] }, transcript: 'words' };
  await leg.checkpoint(packet);
  await leg.amend({ nonGoals: ['A gate.'] }, 'agreed');
  const dug: { readonly deep: number } = await leg.effect('dig', (handle: EffectHandle) => ({
    deep: handle.key.length,
  }));
  await leg.effect('fill', () => Promise.reject(new Error('rain'))).catch(() => {});
  await leg.settle('fill', 'failed');
  expect(await leg.renew()).toBeGreaterThan(0);
  const state: TaskState = await leg.state();
  for await (const item of leg.history()) expect(item.kind).toBeDefined();
  expect([dug.deep, state.seq > given(carried.entry).seq]).toEqual([32, true]);
  const to: Address = 'lane:execute';
  const input: HandoffInput = { to, why: 'shift' };
  await leg.handoff(input);
  const looked = await relay.begin({ goal: 'Look' }, { as: { name: 'eyes', lane: 'audit' } });
  const back: Recorded = await looked.sendBack([{ text: 'It leans.' }], { to });
  expect(back.state.status).toBe('rework');
}

async function travel(relay: Staffetta): Promise<void> {
  const leg = await relay.begin({ goal: 'Travel' }, { as: coder });
  await leg.checkpoint({ claims: { done: ['packed'] } });
  const input: ForkInput = { at: 'latest', why: 'another way' };
  const forked: TaskLook = await relay.fork(leg.task, { ...input, as: you });
  const exported: Exported = await relay.export(forked.task);
  const pieces: Uint8Array[] = [];
  for await (const piece of exported.pieces) pieces.push(piece);
  const source: ImportSource = async function* () {
    yield* pieces;
  };
  const other = await openStaffetta({ store: 'memory:' });
  const imported: Imported = await other.import(source);
  const tasks: readonly ImportedTask[] = imported.tasks;
  expect(tasks.map(({ status }) => status)).toEqual(['elsewhere', 'elsewhere']);
  await other.close();
}

async function prove(relay: Staffetta): Promise<void> {
  const check = { run: [process.execPath, '-e', '0'] };
  const leg = await relay.begin(
    { goal: 'Prove', validation: [check], phases: [{ name: 'dig', verify: [check], rollback: [check] }] },
    { as: coder },
  );
  const ran: readonly RecordedRun[] = await leg.validate();
  const one: Ran | undefined = ran[0];
  expect(one?.passed).toBe(true);
  const cited = ran.map(({ evidence }) => evidence);
  await leg.startPhase('dig');
  const verified: PhaseOutcome = await leg.verifyPhase('dig');
  cited.push(...verified.ran.map(({ evidence }) => evidence));
  await leg.rollBackPhase('dig', { why: 'too deep' });
  expect(verified.moved).toBe('verified');
  expect((await relay.validate(leg.task, {}, byYou)).length).toBe(1);
  const phases: readonly PhaseView[] = await relay.phases(leg.task);
  expect(phases.map(({ known }) => known?.status)).toEqual(['rolled-back']);
  const { findings }: SealedRecord = await leg.checkpoint({
    claims: { done: [{ text: 'it is dug', evidence: cited }] },
  });
  expect(cited).toHaveLength(2);
  expect(findings.map(({ rule }) => rule)).not.toContain('evidence-unknown');
  expect(await relay.findings(leg.task)).toEqual(findings);
}

async function end(relay: Staffetta): Promise<void> {
  const ends: readonly ((leg: Leg) => Promise<Recorded>)[] = [
    async (leg) => await leg.complete(),
    async (leg) => await leg.fail('No wood.'),
    async (leg) => await leg.retry('Rain.'),
    async (leg) => await leg.escalate('Help.'),
  ];
  for (const act of ends) await act(await relay.begin({ goal: 'End' }, { as: coder }));
  const { task } = await relay.open({ goal: 'Decline' }, { as: you });
  await (await relay.take({ task, as: coder }))?.decline(['busy']);
}

describe('the facade', () => {
  test('every verb can be used with the types that the package exports', async () => {
    const options: StaffettaOptions = {
      gate: 'record',
      store: join(folder, 'store.db'),
      workspace: join(folder, 'place'),
    };
    mkdirSync(join(folder, 'place'));
    const relay: Staffetta = await openStaffetta(options);
    await direct(relay);
    await look(relay, join(folder, 'copy.db'));
    await carry(relay);
    await travel(relay);
    await prove(relay);
    await end(relay);
    await crewVerbs(relay);
    expect((await relay.verify()).faults).toEqual([]);
    await relay.close();
  });

  test('no verb is left out above', () => {
    const names = ['facade.test.ts', 'support/crew-verbs.ts', 'support/read-verbs.ts'];
    const text = names.map((name) => readFileSync(join(import.meta.dirname, name), 'utf8')).join('');
    const verbs = [
      Staffetta.prototype,
      Object.getPrototypeOf(Staffetta.prototype) as object,
      Leg.prototype,
    ].flatMap((type) =>
      Object.entries(Object.getOwnPropertyDescriptors(type))
        .filter(([name, { value }]) => name !== 'constructor' && typeof value === 'function')
        .map(([name]) => name),
    );
    expect(verbs.length).toBeGreaterThan(40);
    expect(verbs.filter((verb) => !text.includes(`.${verb}(`))).toEqual([]);
  });
});

describe('opening without a store', () => {
  test('it is the one that the command would use: of the repository, or as STAFFETTA_STORE says', async () => {
    mkdirSync(join(folder, 'project', 'src'), { recursive: true });
    bareBones(join(folder, 'project'));
    const cwd = vi.spyOn(process, 'cwd').mockReturnValue(join(folder, 'project', 'src'));
    vi.stubEnv('STAFFETTA_STORE', '');
    try {
      const relay = await openStaffetta();
      expect(relay.store.address.shown).toBe(join(folder, 'project', '.staffetta', 'store.db'));
      await relay.close();
      vi.stubEnv('STAFFETTA_STORE', join(folder, 'told.db'));
      const told = await openStaffetta({ as: 'ada' });
      expect(told.store.address.shown).toBe(join(folder, 'told.db'));
      await told.close();
    } finally {
      cwd.mockRestore();
      vi.unstubAllEnvs();
    }
  });
});

/** As a caller without a compiler may write it. */
type Loose = Record<string, (...args: unknown[]) => Promise<unknown>>;

describe('without a compiler', () => {
  test.each<[string, unknown, string, string]>([
    ['a typing error', { stor: 'x' }, 'openStaffetta: there is no option "stor".', 'Did you mean: store'],
    ['a number', { store: 7 }, 'openStaffetta: store: expected an object, not a number.', ''],
    ['no text', { store: '' }, 'openStaffetta: store: expected some text.', 'Name a file, or leave it out'],
    ['half a store', { store: { address: {} } }, 'openStaffetta: store: journal: expected an object', ''],
    ['half a clock', { store: 'memory:', clock: {} }, 'openStaffetta: clock: now: expected a function', ''],
    ['no entropy', { store: 'memory:', entropy: 1 }, 'openStaffetta: entropy: expected an object', ''],
    ['no name', { store: 'memory:', as: 7 }, 'actor: name: expected a text', ''],
    ['a text', 'store.db', 'openStaffetta: expected an object, not a text.', ''],
  ])('openStaffetta with %s is refused in words', async (_what, options, message, hint) => {
    const opening = (openStaffetta as (options: unknown) => Promise<unknown>)(options);
    await expect(
      opening.catch((error: unknown) => (error as { hint?: string }).hint ?? ''),
    ).resolves.toContain(hint);
    await expect(opening).rejects.toMatchObject({
      name: 'StaffettaError',
      code: 'invalid-input',
      message: expect.stringContaining(message) as string,
    });
  });

  test('a clock of a class of its own is a clock', async () => {
    class Mine implements Clock {
      readonly #ahead = 5;
      readonly name = 'mine';
      now(): number {
        return Date.now() + this.#ahead;
      }
      async sleep(): Promise<void> {}
    }
    const relay = await openStaffetta({ gate: 'record', store: 'memory:', clock: new Mine() });
    expect(relay.context.clock).toBeInstanceOf(Mine);
  });

  test.each<[string, readonly unknown[], string]>([
    ['open', [], 'contract: expected an object, not undefined.'],
    ['open', [{ goal: 7 }], 'contract: goal: expected a text'],
    ['open', [{ goal: 'x' }, { too: 'anyone' }], 'open: there is no option "too".'],
    ['open', [{ goal: 'x' }, { to: 7 }], 'open: to: expected a text, not a number.'],
    ['begin', [{ goal: 'x' }, { draft: true }], 'begin: there is no option "draft".'],
    ['offer', ['t000000000001', { lane: 'execute' }], 'offer: to: expected a text, not undefined.'],
    ['withdraw', ['t000000000001', { leaseMs: '1m' }], 'withdraw: leaseMs: expected a number, not a text.'],
    ['take', [{ leas: 5 }], 'take: there is no option "leas".'],
    ['leg', [undefined], 'task: expected a text, not undefined.'],
    ['decline', ['t000000000001', 'busy'], 'decline: reasons: expected a list, not a text.'],
    ['note', ['t000000000001', 'x', 'y'], 'note: generation: expected a number, not a text.'],
    ['tell', [7, 'x'], 'task: expected a text, not a number.'],
    ['tell', ['t000000000001', 'x', { by: 'ada' }], 'as: there is no option "by".'],
    ['answer', ['t000000000001', { answer: 'x' }], 'answer: decision: expected a number, not undefined.'],
    ['review', ['t000000000001', {}], 'review: approve: expected true or false, not undefined.'],
    ['redrive', ['t000000000001', { too: 'x' }], 'redrive: there is no option "too".'],
    ['amend', ['t000000000001', { goal: 'x' }], 'amend: there is no option "goal".'],
    ['escalate', ['t000000000001', 'x', { gen: 1 }], 'escalate: there is no option "gen".'],
    ['recover', [{ dry: true }], 'recover: there is no option "dry".'],
    ['sweep', [{}], 'sweep: olderThanMs: expected a number, not undefined.'],
    ['backup', [], 'backup: file: expected a text, not undefined.'],
    ['list', [{ status: 'held' }], 'list: there is no option "status".'],
    ['packet', ['bad digest'], 'A digest is sha256: and 64 hex digits, not "bad digest".'],
    ['contract', [undefined], 'A digest is sha256: and 64 hex digits, not undefined.'],
  ])('%s is refused in words (%#)', async (verb, args, message) => {
    const relay = await openStaffetta({ gate: 'record', store: 'memory:' });
    await expect((relay as unknown as Loose)[verb]?.(...args)).rejects.toMatchObject({
      code: 'invalid-input',
      message: expect.stringContaining(message) as string,
    });
  });

  test.each<[string, readonly unknown[], string]>([
    ['handoff', [{}], 'handoff: to: expected a text, not undefined.'],
    ['handoff', [{ to: 'anyone', transcipt: 'x' }], 'handoff: there is no option "transcipt".'],
    ['checkpoint', [{ transcript: 7 }], 'transcript: expected a text, bytes, or pieces of bytes.'],
    ['checkpoint', [{ transcript: ['x'] }], 'transcript: expected pieces of bytes.'],
    ['checkpoint', [{}, { keys: 'x' }], 'leg: there is no option "keys".'],
    ['submit', [{ claim: {} }], 'submit: there is no option "claim".'],
    ['decline', ['busy'], 'decline: reasons: expected a list, not a text.'],
    ['decide', ['x', { reason: 'y' }], 'decide: there is no option "reason".'],
    ['carry', [{ type: 'note' }], 'carry: events: expected a list, not an object.'],
    ['effect', ['x'], 'effect: perform: expected a function, not undefined.'],
    ['effect', ['x', () => 1, { ifUnkown: 'retry' }], 'effect: there is no option "ifUnkown".'],
  ])('a leg refuses it in words: %s (%#)', async (verb, args, message) => {
    const relay = await openStaffetta({ gate: 'record', store: 'memory:' });
    const leg = await relay.begin({ goal: 'x' });
    await expect((leg as unknown as Loose)[verb]?.(...args)).rejects.toMatchObject({
      code: 'invalid-input',
      message: expect.stringContaining(message) as string,
    });
    expect((await leg.state()).seq).toBe(0);
  });

  test('a worker without a handler, or with options that do not exist, is refused at once', async () => {
    const relay = await openStaffetta({ gate: 'record', store: 'memory:' });
    const worker = relay.worker.bind(relay) as (...args: unknown[]) => unknown;
    expect(() => worker('ada')).toThrow('worker: handler: expected a function, not undefined.');
    expect(() => worker('ada', () => {}, { poll: 1 })).toThrow('worker: there is no option "poll".');
  });
});

test('a digest that names no packet of this store is not taken for damage', async () => {
  const relay = await openStaffetta({ gate: 'record', store: 'memory:' });
  const { contract } = await relay.open({ goal: 'x' });
  for (const digest of [`sha256:${'0'.repeat(64)}`, contract] as const)
    await expect(relay.packet(digest)).rejects.toMatchObject({ code: 'unknown-packet' });
  await expect(relay.contract(`sha256:${'0'.repeat(64)}`)).rejects.toMatchObject({ code: 'invalid-input' });
});

test('a store that makes its backups itself says so', async () => {
  const relay = await openStaffetta({ gate: 'record', store: 'memory:' });
  await expect(relay.backup('x.db')).rejects.toMatchObject({ code: 'unavailable' });
});

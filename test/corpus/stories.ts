/** What happens in the corpus: tasks whose journals, together, hold every event there is, with every field it can have. */
import type { Actor } from '../../src/core/task/actor.ts';
import { Staffetta } from '../../src/library/staffetta.ts';
import { sealContract, termsOf, type Contract } from '../../src/core/contract/contract.ts';
import { digestOf } from '../../src/core/journal/digest.ts';
import type { SessionInput } from '../../src/handoff/sealing/native-session.ts';
import type { TaskId } from '../../src/core/journal/id.ts';
import type { Leg } from '../../src/handoff/verbs/leg.ts';
import { sealPacket } from '../../src/core/packet/packet.ts';
import { record } from '../../src/handoff/record/record.ts';
import { dawn, type Stage } from '../support/world.ts';
import { garden } from './garden.ts';
import { shelf, workshop } from './workshop.ts';

const ada: Actor = {
  name: 'ada',
  kind: 'agent',
  lane: 'execute',
  runtime: 'codex',
  session: 'session 1',
  lineage: ['sol', 'eve'],
};
const bea: Actor = { name: 'béa', kind: 'agent', lane: 'execute' };
const quinn: Actor = { name: 'quinn', kind: 'agent', lane: 'audit' };
const eve: Actor = { name: 'eve', kind: 'human' };

async function taken(leg: Promise<Leg | undefined>): Promise<Leg> {
  const found = await leg;
  if (found === undefined) throw new Error('there was nothing to take');
  return found;
}

/** A change of the contract. */
async function amended(at: Stage, task: TaskId, contract: Contract): Promise<void> {
  const { bytes, digest } = sealContract(contract);
  await record(at.context, {
    task,
    call: { by: eve },
    request: null,
    prepare: () => ({
      command: { type: 'amend', contract: digest, terms: termsOf(contract), why: 'The fence first.' },
      blobs: [bytes],
    }),
  });
}

/** A draft that knows the tree it was made in. */
async function drafted(at: Stage, leg: Leg): Promise<void> {
  await record(at.context, {
    task: leg.task,
    call: { by: leg.holder },
    request: null,
    prepare: (state, now) => {
      if (state === undefined) throw new Error('there is no such task');
      const { bytes, digest } = sealPacket({
        v: 1,
        task: state.task,
        parent: state.packet,
        contract: state.contract,
        generation: state.generation,
        head: { seq: state.seq, digest: state.head },
        at: now,
        from: leg.holder,
        lane: leg.lane,
        trigger: 'context-limit',
        claims: {},
        artefacts: [],
        transcript: [],
      });
      const sealed = { packet: digest, certification: 'draft', workspace: digestOf('tree') } as const;
      return { command: { type: 'checkpoint', generation: leg.generation, sealed }, blobs: [bytes] };
    },
  });
}

/** From a first note to an approval, with rework on the way. */
async function relay(at: Stage): Promise<TaskId> {
  const { staffetta, clock } = at;
  const goal = 'The fence stands.\nTabs\tand \u0000 control characters are kept; so are é, 名前 and 🧰.';
  const leg = await staffetta.begin(
    {
      title: 'Mend the fence',
      goal,
      kind: 'repair',
      strict: true,
      acceptance: ['No gap is wider than a hand.'],
      constraints: ['Use the old posts.'],
      nonGoals: ['Painting.'],
      protectedPaths: ['gate/'],
      validation: [{ run: ['npm', 'test'], name: 'Tests', timeoutMs: 1000 }],
      review: { owner: 'lane:audit', human: false, stop: 'verified' },
      caps: { hops: 20, rework: 2, attempts: 4 },
    },
    { as: ada, key: 'open the fence', leaseMs: 60_000 },
  );
  await leg.carry([
    { type: 'note', text: 'Measured.' },
    { type: 'decision-made', text: 'Oak.', why: 'It lasts.', rejected: ['Pine.', 'Elm.'] },
    { type: 'decision-made', text: 'Nails.' },
    { type: 'decision-raised', question: 'How high?', options: ['one metre', 'two'], owner: 'agent:eve' },
    { type: 'attempt-failed', what: 'Glue', why: 'Wet wood.' },
    { type: 'progress-moved', at: 3, of: 10, unit: 'boards', cursor: 'north side' },
    { type: 'progress-moved', at: 4 },
  ]);
  await clock.advance(1000);
  await staffetta.answer(leg.task, { decision: 3, answer: 'Two metres.' }, { as: eve });
  await staffetta.tell(leg.task, 'Mind the roses.', { as: eve, key: 'roses' });
  await leg.markRead(await leg.messages());
  await leg.effect('order-wood', ({ key }) => ({ order: 7, key }));
  await leg.effect('ring-bell', () => {});
  await leg.effect('fetch-prices', () => 'oak '.repeat(10_000));
  await leg.checkpoint({ transcript: 'first words\n', media: 'text/plain' });
  await clock.advance(1000);
  await leg.handoff({
    to: 'lane:audit',
    why: 'Ready to check.',
    trigger: 'planned',
    expiresMs: 3_600_000,
    transcript: 'second words\n',
    claims: {
      done: ['The posts stand.'],
      doing: ['Boards.'],
      remaining: ['Gate.'],
      decisions: [{ text: 'Oak.', why: 'It lasts.', rejected: ['Pine.'] }],
      failed: [{ what: 'Glue', why: 'Wet wood.' }],
      blockers: ['Rain.'],
      questions: [{ text: 'Which gate?', owner: 'agent:eve' }],
      next: 'Look for gaps.',
      summary: 'Nearly there.',
    },
    artefacts: [{ path: 'fence.md', role: 'Plan', why: 'The measures.', digest: digestOf('fence') }],
  });
  const audit = await taken(staffetta.take({ as: quinn, key: 'take it' }));
  await audit.acknowledge({ goal: 'A fence.', gate: 'No gaps.', next: 'Look.' });
  const submitted = await audit.submit({ claims: { summary: 'One gap.' } });
  const findings = [{ text: 'A gap.', path: 'fence.md', line: 3 }, { text: 'A nail.', path: 'old.md', line: 9, side: 'old' as const }];
  await staffetta.review(leg.task, { approve: false, packet: submitted.state.packet, findings }, { as: eve });
  const rework = await taken(staffetta.take({ task: leg.task, as: ada }));
  await rework.acknowledge();
  const { state } = await rework.submit({ transcript: 'third words\n' });
  await staffetta.review(leg.task, { approve: true, packet: state.packet, why: 'No gaps.' }, { as: eve });
  return leg.task;
}

/** Everything that goes wrong: expiry, lapse, retry, a dead letter, a decline, a withdrawal, an unknown effect, failure. */
async function weather(at: Stage): Promise<TaskId> {
  const { staffetta, clock } = at;
  const { task } = await staffetta.open(
    { goal: 'The roof is tight.', caps: { attempts: 2 } },
    { as: eve, to: 'agent:béa', expiresMs: 10_000 },
  );
  await clock.advance(10_001);
  await staffetta.recover();
  const first = await taken(staffetta.take({ task, as: bea, leaseMs: 5000 }));
  await first.effect('call-roofer', () => Promise.reject(new Error('no line'))).catch(() => {});
  await clock.advance(5001);
  await staffetta.recover();
  await staffetta.redrive(task, { to: 'lane:execute', why: 'The rain stopped.' }, { as: eve });
  await staffetta.withdraw(task, { why: 'Not yet.' }, { as: eve });
  await staffetta.offer(
    task,
    { to: 'anyone', lane: 'execute', trigger: 'user', why: 'Now.', notBefore: clock.now() },
    { as: eve },
  );
  await staffetta.decline(task, ['No ladder.', 'No time.'], { as: bea });
  await staffetta.withdraw(task, {}, { as: eve });
  await staffetta.offer(task, { to: `agent:${bea.name}`, lane: 'execute' }, { as: eve });
  await staffetta.decline(task, ['Still no ladder.'], { as: bea });
  await staffetta.redrive(task, { to: 'anyone' }, { as: eve });
  const second = await taken(staffetta.take({ task, as: ada }));
  await second.settle('call-roofer', 'failed');
  await second.retry('Still wet.');
  await clock.advance(1000);
  const third = await taken(staffetta.take({ task, as: bea }));
  await third.acknowledge();
  await third.fail('The roof fell in.');
  return task;
}

/** A plan that changes, a need that is met, a bounce, and the end by a person. */
async function plan(at: Stage, need: TaskId): Promise<TaskId> {
  const { staffetta } = at;
  const { task } = await staffetta.open({ goal: 'The garden is planned.' }, { as: eve, draft: true });
  await amended(at, task, {
    v: 1,
    title: 'The garden, planned anew',
    goal: 'The garden is planned.',
    needs: [need],
  });
  await staffetta.offer(task, { to: 'agent:ada', lane: 'execute' }, { as: eve });
  await staffetta.recover();
  const first = await taken(staffetta.take({ task, as: ada }));
  await first.acknowledge();
  await drafted(at, first);
  await first.handoff({ to: 'agent:béa', why: 'You know flowers.' });
  const second = await taken(staffetta.take({ task, as: bea }));
  await second.acknowledge();
  await second.handoff({ to: 'agent:ada' });
  await staffetta.cancel(task, 'Winter came.', { as: eve });
  return task;
}

/** Still under way: held, with a question, a message and an open effect waiting. */
async function open(at: Stage): Promise<TaskId> {
  const { staffetta } = at;
  const leg = await staffetta.begin({ goal: 'The well is dug.' }, { as: bea, leaseMs: 60_000 });
  await leg.ask('Where?');
  await staffetta.tell(leg.task, 'By the oak.', { as: eve });
  await leg.effect('rent-drill', () => Promise.reject(new Error('no answer'))).catch(() => {});
  await leg.checkpoint({ transcript: 'x'.repeat(3000) });
  return leg.task;
}

/** Work in a workspace: commands that were run, phases that were moved, and packets with facts and findings. */
async function bench(at: Stage): Promise<TaskId> {
  const staffetta = new Staffetta({ ...at.context, workspace: async () => workshop, skills: shelf });
  const { clock } = at;
  const leg = await staffetta.begin(
    {
      goal: 'The workbench is level.',
      skills: ['joinery'],
      protectedPaths: ['gate/'],
      validation: [
        { run: ['level', '--all'], name: 'Level', timeoutMs: 1000 },
        { run: ['level | tee level.txt'], shell: true },
      ],
      phases: [
        {
          name: 'measure',
          goal: 'Every side is known.',
          criteria: ['To the millimetre.'],
          verify: [{ run: ['measure --strictly'], shell: true, timeoutMs: 500 }],
          rollback: [{ run: ['forget measures'], shell: true, name: 'Forget', timeoutMs: 500 }],
        },
        { name: 'plane', verify: [{ run: ['plane', '--check'], name: 'Plane' }] },
      ],
      review: { owner: 'lane:audit', policy: { paths: ['fence.md'], kinds: ['binary'], diffLinesMax: 5 } },
    },
    { as: ada, leaseMs: 60_000 },
  );
  await leg.startPhase('measure');
  await leg.verifyPhase('measure');
  await leg.rollBackPhase('measure', { why: 'The rule was bent.' });
  await clock.advance(1000);
  await leg.validate();
  await amended(at, leg.task, {
    v: 1,
    title: 'The workbench',
    goal: 'The workbench is level.',
    validation: [{ run: ['level', '--all'], name: 'Level' }],
    phases: [{ name: 'plane', verify: [{ run: ['plane', '--check'], name: 'Plane' }] }],
    protectedPaths: ['gate/'],
  });
  await leg.startPhase('plane');
  await leg.verifyPhase('plane', { because: 'A marble stays where it is put.' });
  await leg.progress(2, { of: 4, unit: 'legs', cursor: 'left' });
  const session = { ...native('03c3a295', () => ['{"n":1}']), folder: `${workshop.root}/annex/north` };
  await leg.checkpoint({ session });
  await leg.handoff({
    to: 'lane:audit',
    trigger: 'user',
    why: 'No room for more.',
    transcript: 'fourth words\n',
    media: 'text/plain',
    claims: {
      done: [{ text: 'The top is planed.', evidence: ['r1', 'file:fence.md'] }],
      doing: [{ text: 'The legs.', evidence: ['j3'] }],
      remaining: [{ text: 'Oil.', evidence: ['j3'] }],
      blockers: [{ text: 'No oil.', evidence: ['j4'] }],
      decisions: [{ text: 'Three legs.', why: 'They never wobble.', rejected: ['Four.'], evidence: ['d1'] }],
      failed: [{ what: 'Wedges', why: 'They slip.', evidence: ['s1'] }],
      questions: [{ text: 'Oil or wax?', owner: 'agent:eve', evidence: ['j4'] }],
      next: 'Level the left leg.',
      command: 'level --all',
      summary: 'TBD',
    },
    artefacts: [{ path: 'fence.md' }],
    skills: ['joinery'],
    losses: [{ what: 'the chalk marks', why: 'They were wiped off.' }],
  });
  return leg.task;
}

/** Another way on from where the workbench stood. */
async function branch(at: Stage, from: TaskId): Promise<TaskId> {
  const input = { at: 'latest', why: 'Four legs after all.', as: eve, draft: true };
  return (await at.staffetta.fork(from, input)).task;
}

/** A session of a coding agent that grows, and is then rewritten by its program. */
function native(id: string, lines: () => readonly string[]): SessionInput {
  return {
    runtime: 'codex',
    id,
    path: `/home/ada/.codex/sessions/${id}.jsonl`,
    capture: async (from) => {
      const known = from === undefined ? [] : (JSON.parse(from) as string[]);
      const all = lines();
      const grew = known.every((line, i) => line === all[i]);
      const taken = grew ? all.slice(known.length) : all;
      return await Promise.resolve({
        records: recordsOf(taken),
        end: () => ({
          cursor: JSON.stringify(all),
          fromStart: !grew,
          omissions: [{ kind: 'request-log', count: 2, why: 'it repeats the conversation' }],
        }),
      });
    },
  };
}

async function* recordsOf(lines: readonly string[]): AsyncGenerator<Uint8Array> {
  for (const line of lines) yield await Promise.resolve(Buffer.from(line));
}

async function courier({ staffetta }: Stage): Promise<TaskId> {
  const leg = await staffetta.begin({ goal: 'The well has a lid' }, { as: 'ada' });
  let lines = ['{"n":1}', '{"n":2}'];
  // An agent that it started grows, and is rewritten, with it.
  const helper = { ...native('02b2f184', () => lines.map((line) => line.replace('n', 'm'))), bytes: 16 };
  const session = { ...native('01a1e073', () => lines), subagents: async () => await Promise.resolve([helper]) };
  await leg.checkpoint({ session });
  lines = [...lines, '{"n":3}'];
  await leg.checkpoint({ session, claims: { done: [{ text: 'Measured the well.', evidence: ['s3'] }] } });
  lines = ['{"n":1}', '{"n":4}'];
  await leg.handoff({ session, to: 'runtime:opencode', trigger: 'usage-limit', claims: { next: 'Saw the boards.' } });
  return leg.task;
}

/** A conversation that a program gives whole each time: it grows, and its last answer is said anew. */
async function parlour({ staffetta }: Stage): Promise<TaskId> {
  const leg = await staffetta.begin({ goal: 'The guests are seated' }, { as: 'ada' });
  const said = [
    { role: 'user', content: 'How many chairs are there?' },
    { role: 'assistant', content: 'Let me' },
  ];
  await leg.checkpoint({ transcript: JSON.stringify(said), media: 'application/json' });
  said.splice(1, 1, { role: 'assistant', content: 'Eight.' }, { role: 'user', content: 'Fetch two more.' });
  const claims = { done: [{ text: 'Counted the chairs.', evidence: ['s3'] }] };
  await leg.checkpoint({ transcript: JSON.stringify(said, undefined, 1), media: 'application/json', claims });
  return leg.task;
}

export type Stories = Readonly<
  Record<
    'relay' | 'weather' | 'plan' | 'open' | 'bench' | 'branch' | 'courier' | 'parlour' | 'run' | 'hedge',
    TaskId
  >
>;

export async function tell(at: Stage): Promise<Stories> {
  if (at.clock.now() !== dawn) throw new Error('the stories begin at dawn');
  const told = { relay: await relay(at), weather: await weather(at) };
  const more = { plan: await plan(at, told.relay), open: await open(at), bench: await bench(at) };
  const last = { branch: await branch(at, more.bench), courier: await courier(at), parlour: await parlour(at) };
  return { ...told, ...more, ...last, ...(await garden(at, { ada, eve })) };
}

import { describe, expect, test } from 'vitest';
import { contractB, packetA, packetB, Play, terms, toAudit } from '../../../test/support/play.ts';
import { ada, bea, cyd, eve, pia, quinn, sol } from '../../../test/support/world.ts';
import { systemActor, type Actor } from '../task/actor.ts';
import type { Command } from '../task/command.ts';
import type { Terms } from '../contract/terms.ts';

const reviewed = (review: NonNullable<Terms['review']> = { owner: 'lane:audit' }) => ({
  terms: terms({ review }),
});
const approve = (packet = packetA): Command => ({ type: 'approve', packet });
const sendBack = (packet = packetA): Command => ({
  type: 'send-back',
  packet,
  findings: [{ text: 'A gap.', path: 'fence.md', line: 3 }, { text: 'A nail.' }],
});

describe('submitting', () => {
  test('the leg ends and the submission names packet and contract', () => {
    const play = new Play().begin(ada, reviewed());
    const events = play.run(ada, {
      type: 'submit',
      generation: 1,
      sealed: { packet: packetA, certification: 'ready' },
    });
    expect(events.map((event) => event.type)).toEqual(['checkpoint-sealed', 'leg-ended', 'submitted']);
    expect(play.state).toMatchObject({
      status: 'submitted',
      leg: null,
      offer: null,
      submission: { packet: packetA, by: 'ada', kind: 'agent', lane: 'execute' },
    });
  });

  test('without a new packet the latest one is submitted', () => {
    const play = new Play().begin(ada);
    play.run(ada, { type: 'checkpoint', generation: 1, sealed: { packet: packetA, certification: 'ready' } });
    play.submit(ada, null);
    expect(play.state.submission?.packet).toBe(packetA);
  });

  test('what was not acknowledged cannot be submitted or completed', () => {
    const play = new Play().offered(ada).accept(bea);
    expect(play.code(bea, { type: 'submit', generation: 1, sealed: null })).toBe('not-acknowledged');
    expect(play.code(bea, { type: 'complete', generation: 1, sealed: null })).toBe('not-acknowledged');
  });
});

describe('approving', () => {
  test('the reviewer the contract names approves exactly what was submitted, and the task is done', () => {
    const play = new Play().begin(ada, reviewed()).submit(ada);
    const events = play.run(quinn, { type: 'approve', packet: packetA, why: 'No gaps.' });
    expect(events).toEqual([
      { type: 'review-approved', v: 1, packet: packetA, contract: play.state.contract, why: 'No gaps.' },
      { type: 'task-done', v: 1 },
    ]);
    expect(play.state.status).toBe('done');
  });

  test('P7: the author cannot approve its own work, in no lane and as no kind of actor', () => {
    const play = new Play().begin(ada, reviewed({ owner: 'anyone' })).submit(ada);
    const disguises: Actor[] = [
      ada,
      { ...ada, lane: 'audit' },
      { ...ada, lane: 'supervise' },
      { name: 'ada', kind: 'agent' },
      { name: 'ada', kind: 'human' },
      { ...ada, session: 'another' },
    ];
    for (const by of disguises) {
      const error = play.refusal(by, approve());
      expect(error.code).toBe('author-review');
      expect(error.details).toEqual({ task: play.task, authors: ['ada'] });
      expect(play.code(by, sendBack())).toBe('author-review');
    }
  });

  test('P7: nothing the author spawned can approve its work, however far down', () => {
    const play = new Play().begin(ada, reviewed()).submit(ada);
    expect(play.code({ ...quinn, lineage: ['ada'] }, approve())).toBe('author-review');
    expect(play.code({ ...quinn, lineage: ['mid', 'low', 'ada'] }, approve())).toBe('author-review');
    expect(play.code({ name: 'eve', kind: 'human', lineage: ['ada'] }, approve())).toBe('author-review');
    expect(play.run({ ...quinn, lineage: ['zoe'] }, approve())).toHaveLength(2);
  });

  test('nobody whom an agent spawned gives the approval of a person', () => {
    const play = new Play().begin(ada, reviewed({ human: true })).submit(ada);
    expect(play.code({ name: 'bob', kind: 'human', lineage: ['zoe'] }, approve())).toBe('denied');
    expect(play.run({ name: 'bob', kind: 'human' }, approve())).toHaveLength(2);
  });

  test('P7: no other spelling of the author, or of one that spawned, can approve its work', () => {
    const play = new Play().begin(ada, reviewed({ owner: 'anyone' })).submit(ada);
    for (const name of ['Ada', 'ADA', 'аdа', 'ａｄａ', 'ad\u3164a']) {
      const error = play.refusal({ ...quinn, name }, approve());
      expect(error.code).toBe('author-review');
      expect(error.message).toContain(`The name ${name} can be confused with ada`);
      expect(error.details).toMatchObject({ name, confusedWith: 'ada' });
      expect(play.code({ ...quinn, lineage: [name] }, approve())).toBe('author-review');
      expect(play.code({ name, kind: 'human' }, sendBack())).toBe('author-review');
    }
    expect(play.run({ ...quinn, name: 'adam' }, approve())).toHaveLength(2);
  });

  test('P7: nobody approves what another spelling of it submitted', () => {
    const play = new Play().begin(ada, reviewed()).handoff(ada, toAudit).take(quinn).submit(quinn);
    expect(play.code({ ...quinn, name: 'Quinn' }, approve())).toBe('author-review');
  });

  test('P7: everybody who changed the work on its way is an author', () => {
    const play = new Play().begin(ada, reviewed()).handoff(ada).take(bea).submit(bea);
    expect(play.state.authors).toEqual(['ada', 'bea']);
    for (const name of ['ada', 'bea']) expect(play.code({ ...quinn, name }, approve())).toBe('author-review');
  });

  test('who audited is not an author', () => {
    const play = new Play().begin(ada, reviewed()).handoff(ada, toAudit).take(quinn).submit(quinn);
    expect(play.state.authors).toEqual(['ada']);
    expect(play.run({ ...quinn, name: 'rex' }, approve())).toHaveLength(2);
  });

  test('nobody approves what it submitted itself, in whichever lane', () => {
    const play = new Play().begin(ada, reviewed()).handoff(ada, toAudit).take(quinn).submit(quinn);
    expect(play.code(quinn, approve())).toBe('author-review');
    expect(play.code({ ...quinn, name: 'child', lineage: ['quinn'] }, approve())).toBe('author-review');
  });

  test('a holder in any lane but audit is an author', () => {
    const play = new Play().begin(pia, reviewed()).handoff(pia, toAudit);
    play.take({ ...quinn, name: 'pia' });
    expect(play.code({ ...quinn, name: 'pia' }, complete(2))).toBe('review-required');
  });

  test('a reviewer alone has nothing to review', () => {
    const play = new Play().begin(quinn, reviewed());
    expect(play.code(quinn, complete(1))).toBe('review-required');
  });

  test('the system approves nothing', () => {
    const play = new Play().begin(ada, reviewed()).submit(ada);
    expect(play.code(systemActor, approve())).toBe('denied');
  });

  test('where the contract asks for a person, an agent cannot approve', () => {
    const play = new Play().begin(ada, reviewed({ owner: 'lane:audit', human: true })).submit(ada);
    expect(play.code(quinn, approve())).toBe('denied');
    expect(play.code(sol, approve())).toBe('denied');
    expect(play.run(eve, approve())).toHaveLength(2);
  });

  test('an agent that is not the named reviewer cannot approve', () => {
    const play = new Play().begin(ada, reviewed({ owner: 'agent:quinn' })).submit(ada);
    for (const by of [cyd, pia, sol, { ...quinn, name: 'una' }])
      expect(play.code(by, approve())).toBe('denied');
    expect(play.run(quinn, approve())).toHaveLength(2);
  });

  test('an agent in the execute lane reviews nothing, even where it is named', () => {
    const play = new Play().begin(ada, reviewed({ owner: 'agent:cyd' })).submit(ada);
    const error = play.refusal(cyd, approve());
    expect(error.code).toBe('lane-denied');
    expect(error.details).toEqual({ task: play.task, lane: 'execute', owner: 'agent:cyd' });
  });

  test('where the contract names no reviewer, it takes a person', () => {
    const play = new Play().begin(ada).submit(ada);
    expect(play.code(quinn, approve())).toBe('lane-denied');
    expect(play.run(eve, approve())).toHaveLength(2);
  });

  test('an approval of another packet is stale, and so is one under an amended contract', () => {
    const play = new Play().begin(ada, reviewed()).submit(ada);
    const other = play.refusal(quinn, approve(packetB));
    expect(other.code).toBe('review-stale');
    expect(other.details).toMatchObject({ reviewed: packetB, submitted: packetA });
    expect(other.hint).toContain(`staffetta review ${play.task}`);
    play.run(eve, { type: 'amend', contract: contractB, terms: reviewed().terms, why: 'The river rose.' });
    const stale = play.refusal(quinn, approve());
    expect([stale.code, stale.message]).toEqual([
      'review-stale',
      `Task ${play.task} changed since it was looked at: contract.`,
    ]);
    expect(stale.details['changed']).toMatchObject([{ part: 'contract', now: contractB }]);
    expect(play.code(quinn, sendBack())).toBe('review-stale');
  });

  test('only submitted work is reviewed', () => {
    for (const play of [new Play().open(ada), new Play().offered(ada), new Play().begin(ada)]) {
      expect(play.code(eve, approve())).toBe('wrong-state');
      expect(play.code(eve, sendBack())).toBe('wrong-state');
    }
    const done = new Play().begin(ada, reviewed()).submit(ada);
    done.run(quinn, approve());
    expect(done.code(eve, approve())).toBe('wrong-state');
    expect(done.code(eve, sendBack())).toBe('wrong-state');
  });
});

describe('sending back', () => {
  test('the work returns to its author with the findings', () => {
    const play = new Play().begin(ada, reviewed()).submit(ada);
    const events = play.run(quinn, sendBack());
    expect(events).toMatchObject([
      { type: 'review-sent-back', packet: packetA, findings: [{ line: 3 }, { text: 'A nail.' }] },
      { type: 'offer-made', to: 'agent:ada', lane: 'execute', cause: 'review', why: 'A gap.\nA nail.' },
    ]);
    expect(play.state).toMatchObject({ status: 'rework', rework: 1, submission: null });
  });

  test('it can be sent to somebody else instead', () => {
    const play = new Play().begin(ada, reviewed()).submit(ada);
    play.run(quinn, { type: 'send-back', packet: packetA, findings: [{ text: 'x' }], to: 'lane:execute' });
    expect(play.state.offer?.to).toBe('lane:execute');
  });

  test('sent to the planners, it is a leg of the plan lane', () => {
    const play = new Play().begin(ada, reviewed()).submit(ada);
    play.run(quinn, { type: 'send-back', packet: packetA, findings: [{ text: 'x' }], to: 'lane:plan' });
    expect(play.state.offer).toMatchObject({ to: 'lane:plan', lane: 'plan' });
  });

  test('what an auditor submitted goes back to the last author, not to the auditor', () => {
    const play = new Play().begin(ada, reviewed()).handoff(ada, toAudit).take(quinn).submit(quinn);
    play.run(eve, sendBack());
    expect(play.state.offer?.to).toBe('agent:ada');
  });

  test('findings of any length fit into the reason of the offer, cut between two characters', () => {
    const play = new Play().begin(ada, reviewed()).submit(ada);
    const findings = [{ text: `x${'🧰'.repeat(3000)}` }];
    play.run(quinn, { type: 'send-back', packet: packetA, findings });
    const offer = play.told.at(-1)?.entry.events[1];
    expect(offer?.type === 'offer-made' && offer.why?.isWellFormed()).toBe(true);
  });

  test('the third time that work is sent back, a person is asked', () => {
    const play = new Play().begin(ada, reviewed());
    play.submit(ada).run(quinn, sendBack());
    play.take(ada).submit(ada, null).run(quinn, sendBack());
    expect(play.state).toMatchObject({ status: 'rework', rework: 2 });
    play.take(ada).submit(ada, null).run(quinn, sendBack());
    expect(play.state).toMatchObject({ status: 'escalated', rework: 3, leg: null, offer: null });
    expect(play.state.escalation).toMatchObject({ reason: 'rework-cap', text: 'It was sent back 3 times.' });
  });

  test('a contract may ask for a person as soon as work is sent back', () => {
    const play = new Play().begin(ada, {
      terms: terms({ review: { owner: 'lane:audit' }, caps: { rework: 1 } }),
    });
    play.submit(ada).run(quinn, sendBack());
    expect(play.state.escalation).toMatchObject({ reason: 'rework-cap', text: 'It was sent back once.' });
  });
});

const complete = (generation: number): Command => ({
  type: 'complete',
  generation,
  sealed: { packet: packetA, certification: 'ready' },
});

describe('completing', () => {
  test('where no review is asked for, the holder ends the task', () => {
    const play = new Play().begin(ada);
    const events = play.run(ada, complete(1));
    expect(events.map((event) => event.type)).toEqual(['checkpoint-sealed', 'leg-ended', 'task-done']);
    expect(play.state).toMatchObject({ status: 'done', leg: null, packet: packetA });
  });

  test('the reviewer that holds the task approves by completing it', () => {
    const play = new Play().begin(ada, reviewed()).handoff(ada, toAudit).take(quinn);
    const events = play.run(quinn, complete(2));
    expect(events.map((event) => event.type)).toEqual([
      'checkpoint-sealed',
      'leg-ended',
      'review-approved',
      'task-done',
    ]);
    expect(play.state.status).toBe('done');
  });

  test('P7: an author cannot complete what needs a review', () => {
    const play = new Play().begin(ada, reviewed());
    const error = play.refusal(ada, complete(1));
    expect(error.code).toBe('review-required');
    expect(error.details['because']).toContain('cannot approve it');
    expect(error.hint).toBe(`Submit it instead: staffetta submit ${play.task}`);
  });

  test('P7: an author that comes back in the audit lane cannot complete it either', () => {
    const drifter: Actor = { name: 'ada', kind: 'agent' };
    const play = new Play()
      .begin(ada, reviewed())
      .progress(ada)
      .handoff(ada, toAudit)
      .take(quinn)
      .progress(quinn);
    play.handoff(quinn, { to: 'agent:ada', lane: 'audit' }).take(drifter);
    expect(play.code(drifter, complete(3))).toBe('review-required');
  });

  test('a reviewer in another lane than audit cannot complete it', () => {
    const play = new Play().begin(ada, reviewed({ owner: 'anyone' }));
    play.handoff(ada, { to: 'lane:plan', lane: 'plan' }).take(pia);
    const error = play.refusal(pia, complete(2));
    expect(error.code).toBe('review-required');
    expect(error.details['because']).toContain('worked on task');
  });

  test('where a person has to approve, an auditing agent cannot complete it', () => {
    const play = new Play()
      .begin(ada, reviewed({ human: true }))
      .handoff(ada, toAudit)
      .take(quinn);
    expect(play.refusal(quinn, complete(2)).message).toContain('a person');
  });
});

describe('other ends', () => {
  test('a holder can give up for good', () => {
    const play = new Play().begin(ada);
    expect(play.run(ada, { type: 'fail', generation: 1, why: 'No wood.' })).toEqual([
      { type: 'leg-ended', v: 1, generation: 1, outcome: 'failed', why: 'No wood.' },
      { type: 'task-failed', v: 1, why: 'No wood.' },
    ]);
    expect(play.state.status).toBe('failed');
  });

  test('a holder can escalate with its generation, and a person or supervisor without', () => {
    const own = new Play().begin(ada);
    own.run(ada, { type: 'escalate', generation: 1, text: 'Stuck.' });
    expect(own.state).toMatchObject({ status: 'escalated', leg: null, escalation: { reason: 'asked' } });
    for (const by of [eve, sol]) {
      const play = new Play().begin(ada);
      play.run(by, { type: 'escalate', text: 'Stop.' });
      expect(play.state).toMatchObject({ status: 'escalated', leg: null });
    }
  });

  test('escalating work on offer withdraws the offer, and takes somebody who may direct', () => {
    const play = new Play().offered(ada);
    const error = play.refusal(bea, { type: 'escalate', text: 'x' });
    expect(error.code).toBe('denied');
    play.run(eve, { type: 'escalate', text: 'Wait.' });
    expect(play.state).toMatchObject({ status: 'escalated', offer: null });
  });

  test('an escalation can say what it is about', () => {
    const play = new Play().offered(ada);
    play.run(eve, { type: 'escalate', reason: 'need-failed', text: 'What it waits for will not come.' });
    expect(play.state.escalation?.reason).toBe('need-failed');
  });

  test('a holder that does not say its generation cannot escalate', () => {
    expect(new Play().begin(ada).code(ada, { type: 'escalate', text: 'x' })).toBe('stale-generation');
  });

  test('cancelling takes the opener, a supervisor or a person, and ends leg and offer', () => {
    for (const by of [ada, sol, eve]) {
      const held = new Play().open(ada, { first: { to: 'anyone', lane: 'execute' } }).accept(bea);
      held.run(by, { type: 'cancel', why: 'Flood.' });
      expect(held.state).toMatchObject({ status: 'cancelled', leg: null });
      const offered = new Play().offered(ada);
      offered.run(by, { type: 'cancel', why: 'Flood.' });
      expect(offered.state).toMatchObject({ status: 'cancelled', offer: null });
    }
    const play = new Play().offered(ada).accept(bea);
    const error = play.refusal(bea, { type: 'cancel', why: 'x' });
    expect(error.code).toBe('denied');
    expect(error.message).toContain('its opener');
  });

  test('what is over stays over', () => {
    const play = new Play().begin(ada);
    play.run(eve, { type: 'cancel', why: 'Flood.' });
    for (const command of [
      { type: 'cancel', why: 'x' },
      { type: 'escalate', text: 'x' },
      { type: 'message', text: 'x' },
      { type: 'answer', decision: 1, answer: 'x' },
      { type: 'need-met', needs: [] },
    ] satisfies Command[]) {
      const error = play.refusal(eve, command);
      expect(error.code).toBe('wrong-state');
      expect(error.message).toContain('is cancelled; nothing more can happen to it');
      expect(error.hint).toBe('Open a new task.');
    }
  });
});

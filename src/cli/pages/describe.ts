import { shortly } from './words.ts';
import { counted } from '../../core/base/counted.ts';
import { timeText } from '../../core/task/lease.ts';
import type { Entry } from '../../core/journal/entry.ts';
import type { Event, EventOf } from '../../core/journal/event.ts';
import { formatDuration } from '../frame/duration.ts';
import { line } from '../frame/output.ts';
import { readiness } from '../../core/packet/readiness.ts';
import { findingText } from '../../core/task/finding-words.ts';

/** An entry in words, a line per event. */
export function describeEntry(entry: Entry): string[] {
  return describeWhole(entry).map(line);
}

/** The same with the line breaks of what was said. Not yet safe to show. */
export function describeWhole(entry: Entry): string[] {
  return entry.events.map((event) => `${entry.by.name} ${describe(event)}`);
}

function because(why: string | undefined): string {
  return why === undefined ? '' : `: ${why}`;
}

function steeringWords({ paused, parallel, caps, plan }: EventOf<'run-steered'>): string {
  const words = [
    ...(paused === undefined ? [] : [paused ? 'paused' : 'not paused']),
    ...(parallel === undefined ? [] : [`${parallel} at once`]),
    ...(caps === undefined ? [] : ['other caps']),
    ...(plan === undefined ? [] : ['what is to be done']),
  ];
  return words.length === 0 ? '' : ` (${words.join(', ')})`;
}

function runStepWords({ what, task, agent, runtime, until }: EventOf<'run-step'>): string {
  const of = task === undefined ? '' : ` ${task}`;
  switch (what) {
    case 'routed':
      return `gave${of} to ${agent ?? 'nobody'}`;
    case 'advised':
      return `went on with${of}${runtime === undefined ? '' : ` in ${runtime}`}`;
    case 'exhausted':
      return `found ${runtime ?? agent ?? 'an account'} exhausted${until === undefined ? '' : ` until ${new Date(until).toISOString()}`}`;
    case 'stalled':
      return `saw nothing of${of}`;
    case 'kept':
      return `kept the tree of${of}`;
    case 'capped':
      return 'holds the run to its caps';
  }
}

function endWords({ ended, exit }: EventOf<'validation-run'>): string {
  switch (ended) {
    case 'exited':
      return exit === 0 ? 'passed' : `failed with exit code ${exit ?? 'unknown'}`;
    case 'timed-out':
      return 'ended at its time limit';
    case 'signalled':
      return 'ended by a signal';
    case 'interrupted':
      return 'interrupted';
    case 'not-started':
      return 'could not be started';
  }
}

function describe(event: Event): string {
  switch (event.type) {
    case 'task-opened':
      return `opened the task: ${event.terms.title}`;
    case 'task-forked':
      return `forked it from ${event.from.task} at packet ${shortly(event.packet)}: ${event.why}`;
    case 'task-left':
      return `moved it to ${event.to}${because(event.why)}`;
    case 'task-arrived':
      return `took it in from ${event.from}`;
    case 'contract-amended':
      return `amended the contract: ${event.why}`;
    case 'offer-made':
      return `offered it to ${event.to} in the ${event.lane} lane (${event.cause}${event.trigger === undefined ? '' : `, ${event.trigger}`}${event.attempt > 1 ? `, attempt ${event.attempt}` : ''})${because(event.why)}`;
    case 'offer-withdrawn':
      return `withdrew offer ${event.offer}${because(event.why)}`;
    case 'offer-declined':
      return `declined offer ${event.offer}: ${event.reasons.join('; ')}`;
    case 'offer-expired':
      return `found offer ${event.offer} expired`;
    case 'offer-dead':
      return `put it with the dead letters after ${event.attempts} attempts: ${event.why}`;
    case 'leg-started':
      return `took it: generation ${event.generation}, ${event.lane} lane, lease ${formatDuration(event.leaseMs)}`;
    case 'leg-acknowledged':
      return `acknowledged: goal "${event.goal}", gate "${event.gate}", next "${event.next}"`;
    case 'leg-ended':
      return `ended generation ${event.generation}: ${event.outcome}${because(event.why)}`;
    case 'leg-lapsed':
      return `found generation ${event.generation} lapsed: its lease ended at ${timeText(event.leaseUntil)}`;
    case 'checkpoint-sealed':
      return `sealed packet ${shortly(event.packet)} (${readiness(event.certification)})${event.demands === undefined ? '' : `; only a person may approve it: ${event.demands.join(' ')}`}`;
    case 'note':
      return `noted: ${event.text}`;
    case 'decision-made':
      return `decided (${event.decision}): ${event.text}${because(event.why)}${event.rejected === undefined ? '' : `; rejected: ${event.rejected.join(', ')}`}`;
    case 'decision-raised':
      return `asked (${event.decision}): ${event.question}${event.options === undefined ? '' : ` [${event.options.join(' | ')}]`}${event.owner === undefined ? '' : ` (for ${event.owner} to answer)`}`;
    case 'decision-answered':
      return `answered (${event.decision}): ${event.answer}`;
    case 'attempt-failed':
      return `ruled out: ${event.what}: ${event.why}`;
    case 'progress-moved':
      return `is at ${event.at}${event.of === undefined ? '' : ` of ${event.of}`}${event.unit === undefined ? '' : ` ${event.unit}`}${event.cursor === undefined ? '' : ` (${event.cursor})`}`;
    case 'state-kept':
      return `kept the state of ${event.program}`;
    case 'usage-counted':
      return `counted ${counted(event.tokens, 'token')}${event.cost === undefined ? '' : ` and ${event.cost.amount} ${event.cost.unit}`} of generation ${event.leg}, as ${event.source} says`;
    case 'run-step':
      return `${runStepWords(event)}: ${event.why}`;
    case 'run-steered':
      return `steered the run${steeringWords(event)}${because(event.why)}`;
    case 'validation-run':
      return `ran ${event.run.join(' ')}: ${endWords(event)} after ${formatDuration(event.ms)}`;
    case 'phase-started':
      return `started phase ${event.phase}`;
    case 'phase-verified':
      return `verified phase ${event.phase}${because(event.because)}`;
    case 'phase-approved':
      return `approved phase ${event.phase}${because(event.why)}`;
    case 'phase-failed':
      return `found phase ${event.phase} not done${because(event.why)}`;
    case 'phase-rolled-back':
      return `rolled phase ${event.phase} back${because(event.why)}`;
    case 'message':
      return `left a message: ${event.text}`;
    case 'messages-read':
      return 'read the messages';
    case 'need-met':
      return `noted that ${event.task} is done`;
    case 'effect-intended':
      return `is about to do: ${event.effect}`;
    case 'effect-settled':
      return `settled ${event.effect}: ${event.outcome}${because(event.receipt)}`;
    case 'submitted':
      return `submitted packet ${shortly(event.packet)}`;
    case 'review-approved':
      return `approved packet ${shortly(event.packet)}${because(event.why)}`;
    case 'review-sent-back':
      return `sent it back: ${event.findings.map(findingText).join('; ')}`;
    case 'signed':
      return `signed that with key ${event.key}`;
    case 'escalated':
      return `escalated (${event.reason}): ${event.text}`;
    case 'integration-due':
      return 'closed the work: it is done when it is integrated';
    case 'integrated':
      return `integrated it onto ${event.onto} as ${event.commit}`;
    case 'task-done':
      return 'closed the task: done';
    case 'task-failed':
      return `closed the task: failed: ${event.why}`;
    case 'task-cancelled':
      return `closed the task: cancelled: ${event.why}`;
  }
}

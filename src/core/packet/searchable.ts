/** The texts of a task that can be searched for, each with the place it stands in. */
import type { Contract } from '../contract/contract.ts';
import type { Entry } from '../journal/entry.ts';
import type { Event } from '../journal/event.ts';
import { claimText, type Packet } from './packet.ts';
import { findingText } from '../task/finding-words.ts';
import type { StoryStep } from '../transcript/story.ts';

/** Longer texts are found by what stands in their first part. */
const searchedCharsMax = 100_000;

type Where =
  | 'title'
  | 'goal'
  | 'contract'
  | 'note'
  | 'decision'
  | 'message'
  | 'packet'
  | 'finding'
  | 'reason'
  | 'history';

export interface Searchable {
  readonly where: Where;
  readonly field: string | null;
  readonly ref: string | null;
  readonly text: string;
}

type Found = readonly [
  where: Where,
  text: string | undefined,
  field?: string | undefined,
  ref?: string | undefined,
];

function listed(found: Iterable<Found>): Searchable[] {
  const all: Searchable[] = [];
  for (const [where, text, field = null, ref = null] of found)
    if (text !== undefined && text !== '')
      all.push({ where, field, ref, text: text.slice(0, searchedCharsMax) });
  return all;
}

function joined(...texts: readonly (string | undefined)[]): string {
  return texts.filter((text) => text !== undefined && text !== '').join('\n');
}

/** What an entry says by itself; contracts and packets are named by it and read apart. */
export function entryTexts({ seq, events }: Entry): Searchable[] {
  return listed(events.flatMap((event) => [...eventTexts(event)].map(withRef(`j${seq}`))));
}

function withRef(ref: string): (found: Found) => Found {
  return ([where, text, field, own]) => [where, text, field, own ?? ref];
}

function* eventTexts(event: Event): Generator<Found> {
  switch (event.type) {
    case 'note':
      yield ['note', event.text];
      return;
    case 'attempt-failed':
      yield ['note', joined(event.what, event.why), 'attempt-failed'];
      return;
    case 'message':
      yield ['message', event.text];
      return;
    case 'decision-made':
      yield [
        'decision',
        joined(event.text, event.why, ...(event.rejected ?? [])),
        undefined,
        `d${event.decision}`,
      ];
      return;
    case 'decision-raised':
      yield ['decision', joined(event.question, ...(event.options ?? [])), 'question', `d${event.decision}`];
      return;
    case 'decision-answered':
      yield ['decision', event.answer, 'answer', `d${event.decision}`];
      return;
    case 'review-sent-back':
      for (const finding of event.findings) yield ['finding', findingText(finding)];
      return;
    case 'escalated':
      yield ['reason', event.text, event.type];
      return;
    case 'offer-declined':
      yield ['reason', joined(...event.reasons), event.type];
      return;
    case 'contract-amended':
    case 'task-forked':
    case 'task-left':
    case 'offer-made':
    case 'offer-withdrawn':
    case 'offer-dead':
    case 'leg-ended':
    case 'phase-failed':
    case 'phase-rolled-back':
    case 'review-approved':
    case 'task-failed':
    case 'task-cancelled':
      yield ['reason', event.why, event.type];
      return;
    default:
  }
}

export function contractTexts(contract: Contract): Searchable[] {
  const { title, goal, acceptance = [], constraints = [], nonGoals = [], phases = [] } = contract;
  return listed([
    ['title', title],
    ['goal', goal],
    ['contract', joined(...acceptance), 'acceptance'],
    ['contract', joined(...constraints), 'constraints'],
    ['contract', joined(...nonGoals), 'nonGoals'],
    [
      'contract',
      joined(...phases.flatMap(({ name, goal: aim, criteria = [] }) => [name, aim, ...criteria])),
      'phases',
    ],
  ]);
}

export function packetTexts({ claims, artefacts, why, losses = [] }: Packet, ref: string): Searchable[] {
  const { decisions = [], failed = [], questions = [] } = claims;
  const lists = (['done', 'doing', 'remaining', 'blockers'] as const).map((field): Found => [
    'packet',
    joined(...(claims[field] ?? []).map(claimText)),
    `claims.${field}`,
  ]);
  const found: Found[] = [
    ['packet', why, 'why'],
    ['packet', claims.summary, 'claims.summary'],
    ['packet', claims.next, 'claims.next'],
    ['packet', claims.command, 'claims.command'],
    ...lists,
    [
      'packet',
      joined(...decisions.flatMap(({ text, why: because, rejected = [] }) => [text, because, ...rejected])),
      'claims.decisions',
    ],
    ['packet', joined(...failed.flatMap(({ what, why: because }) => [what, because])), 'claims.failed'],
    ['packet', joined(...questions.map(({ text }) => text)), 'claims.questions'],
    [
      'packet',
      joined(...artefacts.flatMap(({ path, role, why: because }) => [path, role, because])),
      'artefacts',
    ],
    ['packet', joined(...losses.flatMap(({ what, why: because }) => [what, because])), 'losses'],
  ];
  return listed(found.map(withRef(ref)));
}

/** What was said, thought, asked of tools and answered by them. */
export function stepTexts({
  ref,
  source,
  given,
  text,
  reasoning,
  calls = [],
  results = [],
}: StoryStep): Searchable[] {
  const called = calls.map(({ tool, args, raw }) => `${tool} ${raw ?? JSON.stringify(args)}`);
  const found: Found[] = [
    given === undefined ? ['history', text, source] : ['history', given.text, 'given'],
    ['history', reasoning, 'reasoning'],
    ['history', joined(...called), 'calls'],
    ['history', joined(...results.map((result) => result.text)), 'results'],
  ];
  return listed(found.map(withRef(`s${ref}`)));
}

/** What the tasks left that this one needed, and who waits for it: context that came along the graph and not along the legs. */
import { claimText, type Packet } from '../packet/packet.ts';
import { summaryParts } from '../reasoning/own-summary.ts';
import { isEmergency } from '../packet/emergency.ts';
import type { Learned, SpokenPacket } from '../packet/learned.ts';
import type { TaskId } from '../journal/id.ts';
import type { IntegratedAt, Status } from '../task/state.ts';
import { learnedItems } from './from-learned.ts';
import { asData, type BriefingItem } from './item.ts';

export interface BriefNeed {
  readonly task: TaskId;
  readonly title: string;
  readonly status: Status;
  readonly integrated: IntegratedAt | null;
  /** Its latest packet: what it ended with. */
  readonly packet: Packet | null;
  /** Of all its legs. */
  readonly learned: Learned;
}

/** A need that is named and no more: it is not here, cannot be read, or is one of too many. */
export interface BareNeed {
  readonly task: TaskId;
  readonly title: string | null;
  readonly why: string;
}

export interface BriefGraph {
  readonly needs: readonly (BriefNeed | BareNeed)[];
  readonly waiting: readonly { readonly task: TaskId; readonly title: string }[];
  /** More wait than are listed. */
  readonly moreWait: boolean;
}

export function graphItems({ needs, waiting, moreWait }: BriefGraph): BriefingItem[] {
  return [
    // Lines of one need stand together; what is taken first is what became of each, then of each the next thing.
    ...inTurns(needs.map((need, place) => needItems(need).map((item) => ({ ...item, place })))),
    ...waiting.map(({ task, title }, place) => lineAbout('waiting', task, { text: title, place })),
    ...(moreWait ? [lineAbout('waiting', null, { text: 'and more', place: waiting.length })] : []),
  ];
}

interface Line {
  readonly label?: string;
  readonly text: string;
  readonly names?: readonly string[];
  readonly place?: number;
}

function lineAbout(
  section: 'needs' | 'waiting',
  task: TaskId | null,
  { label, text, names = [], place = 0 }: Line,
): BriefingItem {
  return {
    section,
    text: asData(text),
    names: task === null ? names : [task, ...names],
    place,
    ...(label === undefined ? {} : { label: asData(label) }),
  };
}

function needItems(need: BriefNeed | BareNeed): BriefingItem[] {
  const { task } = need;
  if (!('learned' in need)) return [lineAbout('needs', task, { label: need.title ?? task, text: need.why })];
  const claimed = (spokenOf(need)?.claims.done ?? []).map((claim): Line => ({
    label: 'Says it did',
    text: claimText(claim),
    names: ['unverified'],
  }));
  const artefacts = need.learned.artefacts.map(({ path, why }): Line => ({
    label: 'Artefact',
    text: why === undefined ? path : `${path}: ${why}`,
  }));
  return [
    lineAbout('needs', task, { label: need.title, text: outcomeOf(need) }),
    ...artefacts.map((line) => lineAbout('needs', task, line)),
    ...lastingItems(need),
    ...claimed.map((line) => lineAbout('needs', task, line)),
    ...noteItems(need),
  ];
}

/** A packet that was sealed for it says nothing, and takes nothing back. */
function spokenOf({ learned: { packets } }: BriefNeed): SpokenPacket | undefined {
  return packets.findLast(({ trigger }) => !isEmergency(trigger)) ?? packets.at(-1);
}

function outcomeOf(need: BriefNeed): string {
  const { status, integrated, packet } = need;
  const workspace = packet?.facts?.workspace;
  const files = [
    ...new Set(
      [...(workspace?.committed?.files ?? []), ...(workspace?.changes ?? [])].map(({ path }) => path),
    ),
  ];
  const head = workspace?.git?.head ?? null;
  const commit =
    integrated === null
      ? head === null
        ? ''
        : `, at commit ${head}`
      : `, commit ${integrated.commit} on ${integrated.onto}`;
  const { words } = summaryParts(spokenOf(need)?.claims.summary);
  return [
    `${status}${commit}.`,
    ...(words === null ? [] : [words]),
    ...(files.length === 0 ? [] : [`Changed: ${files.join(', ')}`]),
  ].join(' ');
}

/** Dead ends before decisions: a decision shows in the work, and what was ruled out does not. */
function lastingItems({ task, learned }: BriefNeed): BriefingItem[] {
  const items = learnedItems(learned, null);
  return (['deadEnds', 'decisions'] as const).flatMap((section) =>
    items
      .filter((item) => item.section === section)
      .map(({ label, text, names }) =>
        lineAbout('needs', task, {
          label: label ?? (section === 'decisions' ? 'Decided' : 'Ruled out'),
          text,
          names,
        }),
      ),
  );
}

/** What was noted on the way, the newest first: it may be anything, and comes last. */
function noteItems({ task, learned }: BriefNeed): BriefingItem[] {
  return learned.remarks.toReversed().flatMap(({ seq, by, event }) =>
    event.type === 'note'
      ? lineAbout('needs', task, {
          label: `Noted by ${by}`,
          text: event.text,
          names: seq === null ? [] : [`j${seq}`],
        })
      : [],
  );
}

/** The first of each, then the second of each. */
function inTurns<T>(lists: readonly (readonly T[])[]): T[] {
  const most = Math.max(0, ...lists.map(({ length }) => length));
  return Array.from({ length: most }, (_, turn) =>
    lists.flatMap((list) => list.slice(turn, turn + 1)),
  ).flat();
}

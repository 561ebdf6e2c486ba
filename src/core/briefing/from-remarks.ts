/** What was written down in the journal. */
import type { Event } from '../journal/event.ts';
import { findingText } from '../task/finding-words.ts';
import type { ReviewFinding } from '../task/review-finding.ts';
import { asData, type BriefingItem } from './item.ts';
import { withWhy } from './from-packet.ts';

export interface BriefRemark {
  /** Null where its number leads elsewhere. */
  readonly seq: number | null;
  readonly by: string;
  readonly event: Event;
  /** Of an answer: what was asked. */
  readonly question?: string;
}

/** A verdict, or what came of merging: the work goes on from there. */
export interface BriefSentBack {
  readonly seq: number;
  readonly by: string;
  readonly findings: readonly ReviewFinding[];
}

export function sentBackItems(sent: BriefSentBack | null): BriefingItem[] {
  return (sent?.findings ?? []).map((finding, place) => ({
    ...item('sentBack', `From ${sent?.by}`, findingText(finding), `j${sent?.seq}`),
    place,
  }));
}

export function remarkItems(remarks: readonly BriefRemark[]): BriefingItem[] {
  return remarks.toReversed().flatMap((remark) => itemOf(remark) ?? []);
}

function itemOf({ seq, by, event, question }: BriefRemark): BriefingItem | null {
  const entry = seq === null ? null : `j${seq}`;
  switch (event.type) {
    case 'note':
      return item('state', `Note of ${by}`, event.text, entry);
    case 'message':
      return item('state', `Message of ${by}`, event.text, entry);
    case 'attempt-failed':
      return item('deadEnds', undefined, `${event.what}: ${event.why}`, entry);
    case 'decision-made':
      return item(
        'decisions',
        undefined,
        withWhy(event.text, event.why, event.rejected),
        seq === null ? null : `d${event.decision}`,
      );
    case 'decision-answered':
      return item(
        'decisions',
        `Answer of ${by}`,
        question === undefined ? event.answer : `${question} → ${event.answer}`,
        seq === null ? null : `d${event.decision}`,
      );
    case 'leg-acknowledged':
      return item('next', `${by} meant to do`, event.next, entry);
    case 'leg-ended':
      return event.why === undefined
        ? null
        : item('state', `${by} ended (${event.outcome})`, event.why, entry);
    case 'leg-lapsed':
      return item(
        'state',
        undefined,
        `${by} recorded that the holder's lease ran out without a packet`,
        entry,
      );
    case 'contract-amended':
      return item('state', `Contract amended by ${by}`, event.why, entry);
    case 'effect-settled':
      return item(
        'state',
        `Effect ${event.effect}`,
        event.receipt === undefined ? event.outcome : `${event.outcome}: ${event.receipt}`,
        entry,
      );
    default:
      return null;
  }
}

function item(
  section: BriefingItem['section'],
  label: string | undefined,
  text: string,
  name: string | null,
): BriefingItem {
  return {
    section,
    text: asData(text),
    names: name === null ? [] : [name],
    place: -1,
    ...(label === undefined ? {} : { label: asData(label) }),
  };
}

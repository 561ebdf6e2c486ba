/** An event of the journal in a line. */
import { readiness } from '../../../src/core/packet/readiness.ts';

/** Where an event keeps what somebody wrote, the most telling first. */
const told = [
  'question',
  'text',
  'answer',
  'what',
  'goal',
  'why',
  'reasons',
  'findings',
  'phase',
  'effect',
  'run',
];
const pointed = [
  'to',
  'outcome',
  'certification',
  'generation',
  'offer',
  'decision',
  'task',
  'packet',
  'through',
  'contract',
];

type Event = Readonly<Record<string, unknown>> & { readonly type: string };

export function eventText(event: object): string {
  const fields = event as Event;
  return told
    .map((name) => wordOf(fields[name]))
    .filter((text) => text !== '' && !text.startsWith('sha256:'))
    .slice(0, 2)
    .join(': ');
}

/** What it says, or else what it points at. */
export function eventLine(event: object): string {
  const fields = event as Event;
  const text = eventText(event);
  if (text !== '') return text;
  return pointed
    .filter((name) => fields[name] !== undefined && fields[name] !== null)
    .slice(0, 2)
    .map((name) =>
      name === 'certification'
        ? readiness(wordOf(fields[name]))
        : `${name} ${wordOf(fields[name]).replace(/^sha256:([0-9a-f]{12}).*/, '$1')}`,
    )
    .join(', ');
}

function wordOf(value: unknown): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'number') return String(value);
  if (!Array.isArray(value)) return '';
  return value
    .map((one) => (typeof one === 'object' && one !== null ? eventText(one) : wordOf(one)))
    .join(' ');
}

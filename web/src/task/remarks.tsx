import type { TaskPage } from '../../../src/server/contract/contract.ts';
import { Prose } from '../parts/prose.tsx';
import { worded } from '../parts/said.ts';
import { Ago, Section } from '../parts/words.tsx';
import { addressOf } from '../shell/place.ts';
import { eventText } from './event-words.ts';

interface Props {
  readonly task: string;
  readonly remarks: TaskPage['remarks'];
}

/** What was written down since the packet: none of it is in it. */
export function RemarksPart({ task, remarks: { since } }: Props) {
  if (since.length === 0) return null;
  return (
    <Section title="Written down since">
      <ul class="claims">
        {since.map(({ seq, at, by, event, question }, n) => (
          <li key={`${seq} ${n}`}>
            <p class="grounds">
              <a href={addressOf({ page: 'task', task, view: 'journal', at: `j${seq}` })}>
                <code>j{seq}</code>
              </a>{' '}
              {worded(event.type)} by {by}, <Ago at={at} />
              {question === undefined ? '' : `, to: ${question}`}
            </p>
            <Prose text={eventText(event)} />
          </li>
        ))}
      </ul>
    </Section>
  );
}

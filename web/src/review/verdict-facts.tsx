/** What a reviewer has to know besides the work: what was agreed since it was submitted, and what it was sent back for before. */
import { findingText } from '../../../src/core/task/finding-words.ts';
import type { TaskPage } from '../../../src/server/contract/contract.ts';
import { Said } from '../diff/text.tsx';
import { Ago } from '../parts/words.tsx';

/** As the page calls them. */
const partTitles: Readonly<Record<NonNullable<TaskPage['amended']>['changes'][number]['part'], string>> = {
  title: 'Title',
  goal: 'Goal',
  kind: 'Kind',
  strict: 'Strict',
  acceptance: 'Done when',
  constraints: 'Within',
  nonGoals: 'Not asked',
  protectedPaths: 'Protected',
  validation: 'Validation',
  phases: 'Phases',
  skills: 'Skills',
  review: 'Review',
  needs: 'Waits for',
  caps: 'Limits',
  paths: 'May be changed',
  integrate: 'Goes onto',
  budget: 'Budget',
  edges: 'Handed on',
};

/** The author of the work never saw what was agreed since. */
export function Amended({ page: { amended } }: { readonly page: TaskPage }) {
  if (amended === null) return null;
  return (
    <div class="banner" role="note">
      <strong>The contract was amended after the work was submitted.</strong>
      <ul>
        {amended.amendments.map(({ seq, by, at, why }) => (
          <li key={seq}>
            <strong>{by}</strong>, <Ago at={at} />: <Said text={why} />
          </li>
        ))}
        {amended.changes.flatMap(({ part, added, removed }) => [
          ...added.map((text) => (
            <li key={`${part} + ${text}`}>
              new, under {partTitles[part]}: <Said text={text} />
            </li>
          )),
          ...removed.map((text) => (
            <li key={`${part} - ${text}`}>
              gone, from {partTitles[part]}: <Said text={text} />
            </li>
          )),
        ])}
      </ul>
    </div>
  );
}

/** What the work was sent back for before, and whether anything was done about it. */
export function SentBack({ page: { sentBack } }: { readonly page: TaskPage }) {
  if (sentBack === null) return null;
  return (
    <div class="banner" role="note">
      <strong>It was sent back before, the last time for:</strong>
      <ul>
        {sentBack.findings.map((finding, n) => (
          <li key={n}>
            <Said text={findingText(finding)} />
          </li>
        ))}
      </ul>
      {sentBack.unchanged === true ? <p>Nothing in the workspace has changed since.</p> : null}
    </div>
  );
}

import type { PacketPage } from '../../../src/server/contract/contract.ts';
import { Prose } from '../parts/prose.tsx';
import { quoteWord } from '../../../src/core/base/command-line.ts';
import { addressed } from '../parts/said.ts';
import { Section } from '../parts/words.tsx';
import { addressOf } from '../shell/place.ts';
import { Beside } from './beside.tsx';

type Contract = PacketPage['contract'];

/** What was agreed. */
export function ContractPart({
  contract,
  added,
}: {
  readonly contract: Contract;
  readonly added: PacketPage['added'];
}) {
  const { goal, kind, validation = [], phases = [], review, needs = [], caps } = contract;
  return (
    <Section
      title="Contract"
      aside={kind === undefined ? undefined : <span class="quiet">kind: {kind}</span>}
    >
      <div class="claim-group">
        <h3>Goal</h3>
        <Prose text={goal} />
        <Beside path="contract.goal" />
      </div>
      <Texts title="Confirmed by nobody" path="contract.added" texts={added} />
      <Texts title="Acceptance" path="contract.acceptance" texts={contract.acceptance} />
      <Texts title="Constraints" path="contract.constraints" texts={contract.constraints} />
      <Texts title="Not asked for" path="contract.nonGoals" texts={contract.nonGoals} />
      <Texts title="Protected paths" path="contract.protectedPaths" texts={contract.protectedPaths} />
      {validation.length === 0 ? (
        <Beside path="contract.validation" />
      ) : (
        <div class="claim-group">
          <h3>Proven by</h3>
          <ul class="claims">
            {validation.map(({ run, name }, n) => (
              <li key={n}>
                {name === undefined ? null : <strong>{name} </strong>}
                <code>{runLine(run)}</code>
                <Beside path={`contract.validation[${n}]`} />
              </li>
            ))}
          </ul>
          <Beside path="contract.validation" />
        </div>
      )}
      {phases.length === 0 ? (
        <Beside path="contract.phases" />
      ) : (
        <div class="claim-group">
          <h3>Phases</h3>
          <ol class="claims">
            {phases.map(({ name, goal: aim, criteria = [] }, n) => (
              <li key={name}>
                <strong>{name}</strong>
                {aim === undefined ? null : <Prose text={aim} />}
                {criteria.map((one) => (
                  <Prose key={one} text={one} />
                ))}
                <Beside path={`contract.phases[${n}]`} />
              </li>
            ))}
          </ol>
          <Beside path="contract.phases" />
        </div>
      )}
      <Texts title="Skills" path="contract.skills" texts={contract.skills} />
      {review === undefined ? (
        <Beside path="contract.review" />
      ) : (
        <div class="claim-group">
          <h3>Review</h3>
          <p>{reviewWords(review)}</p>
          <Beside path="contract.review" />
        </div>
      )}
      {needs.length === 0 ? null : (
        <div class="claim-group">
          <h3>Needs</h3>
          <ul>
            {needs.map((need) => (
              <li key={need}>
                <a href={addressOf({ page: 'task', task: need, view: 'packet' })}>{need}</a>
              </li>
            ))}
          </ul>
        </div>
      )}
      {caps === undefined ? null : (
        <p class="quiet">
          Caps:{' '}
          {Object.entries(caps)
            .map(([name, count]) => `${name} ${String(count)}`)
            .join(', ')}
        </p>
      )}
    </Section>
  );
}

export function runLine(run: readonly string[]): string {
  return run.length === 1 ? (run[0] ?? '') : run.map(quoteWord).join(' ');
}

function reviewWords({ owner, human, stop }: NonNullable<Contract['review']>): string {
  const who =
    human === true ? 'a person' : owner === undefined ? 'somebody who did not write it' : addressed(owner);
  return `By ${who}${stop === undefined ? '' : `, up to: ${stop}`}.`;
}

interface TextsProps {
  readonly title: string;
  readonly path: string;
  readonly texts: readonly string[] | undefined;
}

function Texts({ title, path, texts = [] }: TextsProps) {
  if (texts.length === 0) return <Beside path={path} />;
  return (
    <div class="claim-group">
      <h3>{title}</h3>
      <ul class="claims">
        {texts.map((text, n) => (
          <li key={n}>
            <Prose text={text} />
            <Beside path={`${path}[${n}]`} />
          </li>
        ))}
      </ul>
      <Beside path={path} />
    </div>
  );
}

import type { PacketPage } from '../../../src/server/contract/contract.ts';
import { Prose } from '../parts/prose.tsx';
import { addressed } from '../parts/said.ts';
import { Copy, Section } from '../parts/words.tsx';
import { addressOf } from '../shell/place.ts';
import { Beside } from './beside.tsx';
import { evidencePlace, evidenceWords } from './evidence.ts';

type Claims = PacketPage['packet']['claims'];
type Claim = NonNullable<Claims['done']>[number];

interface Props {
  readonly task: string;
  readonly claims: Claims;
}

/** What the agent says. Each line with what it rests on, or the word that it rests on nothing. */
export function ClaimsPart({ task, claims }: Props) {
  const { summary, next, command, done, doing, remaining, blockers, questions, decisions, failed } = claims;
  const empty = Object.values(claims).every((one) => one === undefined || one.length === 0);
  return (
    <>
      <Section title="Claims" aside={<span class="quiet">written by the agent</span>}>
        {empty ? <p class="quiet">The agent said nothing: this is what was found.</p> : null}
        <Single title="Summary" path="claims.summary" text={summary} />
        <Single title="Next" path="claims.next" text={next} />
        {command === undefined ? null : (
          <div class="claim-group">
            <h3>About to run</h3>
            <Copy text={command} label={`Copy the command: ${command}`} class="block">
              <code>{command}</code>
            </Copy>
            <Beside path="claims.command" />
          </div>
        )}
        <List task={task} title="Blockers" path="claims.blockers" claims={blockers} />
        {(questions ?? []).length === 0 ? (
          <Beside path="claims.questions" />
        ) : (
          <div class="claim-group">
            <h3>Questions</h3>
            <ul class="claims">
              {questions?.map(({ text, owner, evidence }, n) => (
                <li key={n}>
                  <Prose text={text} />
                  <p class="grounds">
                    {owner === undefined ? 'for anybody' : `for ${addressed(owner)}`}{' '}
                    <Grounds task={task} evidence={evidence} asked />
                  </p>
                  <Beside path={`claims.questions[${n}]`} />
                </li>
              ))}
            </ul>
            <Beside path="claims.questions" />
          </div>
        )}
        <List task={task} title="Done" path="claims.done" claims={done} />
        <List task={task} title="Under way" path="claims.doing" claims={doing} />
        <List task={task} title="Remaining" path="claims.remaining" claims={remaining} />
      </Section>
      <Decisions task={task} decisions={decisions} />
      <DeadEnds task={task} failed={failed} />
    </>
  );
}

function Single({
  title,
  path,
  text,
}: {
  readonly title: string;
  readonly path: string;
  readonly text: string | undefined;
}) {
  if (text === undefined) return <Beside path={path} />;
  return (
    <div class="claim-group">
      <h3>{title}</h3>
      <Prose text={text} />
      <Beside path={path} />
    </div>
  );
}

interface ListProps {
  readonly task: string;
  readonly title: string;
  readonly path: string;
  readonly claims: readonly Claim[] | undefined;
}

function List({ task, title, path, claims = [] }: ListProps) {
  if (claims.length === 0) return <Beside path={path} />;
  return (
    <div class="claim-group">
      <h3>{title}</h3>
      <ul class="claims">
        {claims.map((claim, n) => (
          <li key={n}>
            <Prose text={typeof claim === 'string' ? claim : claim.text} />
            <p class="grounds">
              <Grounds task={task} evidence={typeof claim === 'string' ? [] : claim.evidence} />
            </p>
            <Beside path={`${path}[${n}]`} />
          </li>
        ))}
      </ul>
      <Beside path={path} />
    </div>
  );
}

interface GroundsProps {
  readonly task: string;
  readonly evidence: readonly string[] | undefined;
  /** A question rests on nothing, and need not. */
  readonly asked?: true;
}

function Grounds({ task, evidence = [], asked }: GroundsProps) {
  if (evidence.length === 0) return asked === true ? null : <span class="unverified">unverified</span>;
  return (
    <>
      {evidence.map((id, n) => {
        const place = evidencePlace(task, id);
        return (
          <span key={id}>
            {n === 0 ? '' : ', '}
            {place === undefined ? (
              <code>{id}</code>
            ) : (
              <a href={addressOf(place)} title={evidenceWords(id)}>
                <code>{id}</code>
              </a>
            )}
          </span>
        );
      })}
    </>
  );
}

function Decisions({
  task,
  decisions = [],
}: {
  readonly task: string;
  readonly decisions: Claims['decisions'];
}) {
  if (decisions.length === 0) return <Beside path="claims.decisions" />;
  return (
    <Section title="Decisions">
      <ul class="claims">
        {decisions.map(({ text, why, rejected = [], evidence }, n) => (
          <li key={n}>
            <Prose text={text} />
            {why === undefined ? null : (
              <div class="because">
                <span class="quiet">because</span> <Prose text={why} />
              </div>
            )}
            {rejected.map((one) => (
              <div key={one} class="rejected">
                <span class="quiet">rejected</span> <Prose text={one} />
              </div>
            ))}
            <p class="grounds">
              <Grounds task={task} evidence={evidence} />
            </p>
            <Beside path={`claims.decisions[${n}]`} />
          </li>
        ))}
      </ul>
      <Beside path="claims.decisions" />
    </Section>
  );
}

function DeadEnds({ task, failed = [] }: { readonly task: string; readonly failed: Claims['failed'] }) {
  if (failed.length === 0) return <Beside path="claims.failed" />;
  return (
    <Section title="Dead ends">
      <ul class="claims">
        {failed.map(({ what, why, evidence }, n) => (
          <li key={n}>
            <Prose text={what} />
            <div class="because">
              <span class="quiet">does not work:</span> <Prose text={why} />
            </div>
            <p class="grounds">
              <Grounds task={task} evidence={evidence} />
            </p>
            <Beside path={`claims.failed[${n}]`} />
          </li>
        ))}
      </ul>
      <Beside path="claims.failed" />
    </Section>
  );
}

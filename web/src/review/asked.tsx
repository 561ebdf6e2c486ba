/** What was asked, what is said to be done, and what speaks against it, each with what the gate found there. */
import type { TaskPage } from '../../../src/server/contract/contract.ts';
import type { DriftAnswer } from '../../../src/server/contract/contract-looks.ts';
import { get, taskPath } from '../api/client.ts';
import { useLoaded } from '../api/loaded.ts';
import { folderWords, provenWords } from '../../../src/core/packet/proven-words.ts';
import { Shown } from '../diff/text.tsx';
import { Prose } from '../parts/prose.tsx';
import { counted } from '../parts/said.ts';
import { Ago, Section } from '../parts/words.tsx';
import { changedWords, claimsOf, findingsAt, placesOf, type ClaimList, type GateFinding } from './beside.ts';

export function Asked({ page }: { readonly page: TaskPage }) {
  const { contract } = page.contract;
  const found = page.packet?.findings ?? [];
  const lists = [
    ['acceptance', 'Done when', contract.acceptance],
    ['nonGoals', 'Not asked', contract.nonGoals],
    ['constraints', 'Within', contract.constraints],
    ['protectedPaths', 'Protected', contract.protectedPaths],
  ] as const;
  return (
    <Section title="What is asked">
      <Prose text={contract.goal} />
      {page.amended?.changes.some(({ part }) => part === 'goal') === true ? <New /> : null}
      <Beside findings={findingsAt(found, 'contract.goal')} />
      {lists.map(([name, title, texts]) => (
        <ListPart
          key={name}
          title={title}
          texts={texts ?? []}
          fresh={page.amended?.changes.find(({ part }) => part === name)?.added ?? []}
          findings={findingsAt(found, `contract.${name}`)}
        />
      ))}
    </Section>
  );
}

export function Demands({ page }: { readonly page: TaskPage }) {
  if (page.demands.length === 0) return null;
  return (
    <div class="banner" role="note">
      <strong>Only a person may approve this:</strong>
      <ul>
        {page.demands.map((demand) => (
          <li key={demand}>
            <Shown text={demand} />
          </li>
        ))}
      </ul>
    </div>
  );
}

export function Validation({ page }: { readonly page: TaskPage }) {
  const { validation: results, packet } = page;
  const findings = findingsAt(packet?.findings ?? [], 'contract.validation');
  return (
    <Section title="Validation">
      {results.length === 0 ? <p class="quiet">The contract names no command that must pass.</p> : null}
      <ul class="rows">
        {results.map((result) => (
          <li key={JSON.stringify(result.run)}>
            <Result result={result} />
          </li>
        ))}
      </ul>
      <Folder page={page} />
      <Beside findings={findings} />
    </Section>
  );
}

/** Apart from what was proven on the work: whether it is still that work which lies in the folder. */
function Folder({ page: { state, packet, binds } }: { readonly page: TaskPage }) {
  const digest = packet?.packet.facts?.workspace === undefined ? null : (binds?.packet ?? null);
  const { value } = useLoaded(`folder/${state.task}/${digest}`, async (signal) =>
    digest === null
      ? undefined
      : await get<DriftAnswer>(taskPath(state.task, 'packets', digest, 'drift'), {}, signal),
  );
  const words = value.value === undefined ? null : folderWords(value.value);
  return words === null ? null : (
    <p class="quiet" role="status">
      {words}
    </p>
  );
}

type ValidationResult = TaskPage['validation'][number];

function Result({
  result: { run, name, outcome, standing, at, exit },
}: {
  readonly result: ValidationResult;
}) {
  const isGood = outcome === 'passed' && standing === 'bound';
  const state = outcome ?? 'not run';
  return (
    <>
      <span class={`mark ${isGood ? 'good' : outcome === 'passed' ? 'warning' : 'error'}`}>{state}</span>{' '}
      <code>
        <Shown text={name ?? run.join(' ')} />
      </code>{' '}
      <span class="quiet">
        {outcome === 'failed' && exit !== null ? `exit ${exit}, ` : ''}
        {provenWords[standing]} {at === null ? null : <Ago at={at} />}
      </span>
    </>
  );
}

/** Said by the agent: nothing here is a fact. */
export function Claimed({ page }: { readonly page: TaskPage }) {
  const claims = page.packet?.packet.claims;
  const found = page.packet?.findings ?? [];
  if (claims === undefined) return null;
  return (
    <Section title="What the author says" aside={<span class="quiet">claims, not facts</span>}>
      {claims.summary === undefined ? null : <Prose text={claims.summary} />}
      {claimsOf(claims).map((list) => (
        <ClaimPart key={list.name} list={list} findings={findingsAt(found, `claims.${list.name}`)} />
      ))}
    </Section>
  );
}

function ClaimPart({
  list: { title, claims },
  findings,
}: {
  readonly list: ClaimList;
  readonly findings: readonly GateFinding[];
}) {
  if (claims.length === 0 && findings.length === 0) return null;
  return (
    <>
      <h3>{title}</h3>
      <ul class="bulleted">
        {claims.map(({ text, grounds }, n) => (
          <li key={n}>
            <Prose text={text} />
            {grounds === null ? null : <span class="quiet">{grounds}</span>}
          </li>
        ))}
      </ul>
      <Beside findings={findings} />
    </>
  );
}

/** What the gate found that stands beside nothing else on the page. */
export function Rest({ findings }: { readonly findings: readonly GateFinding[] }) {
  const rest = findings.filter(
    ({ path }) => !placesOf.some((place) => findingsAt([{ path }], place).length > 0),
  );
  if (rest.length === 0) return null;
  return (
    <Section title="Also found by the gate">
      <Beside findings={rest} />
    </Section>
  );
}

export function Committed({ page }: { readonly page: TaskPage }) {
  const { workspace, diff } = page.packet?.packet.facts ?? {};
  const committed = workspace?.committed;
  if (committed === undefined || (committed.files.length === 0 && committed.gone !== true)) return null;
  const { files, left, gone, added, removed } = committed;
  if (diff?.committed === true)
    return committed.since === null ? null : (
      <p class="quiet">
        All since <code>{committed.since.slice(0, 12)}</code>, committed or not.
      </p>
    );
  return (
    <div class="banner" role="note">
      <strong>
        {gone === true
          ? 'The commit where the work began is gone: what was committed since is not known.'
          : `${counted(files.length + left, 'file was', 'files were')} also changed by commits, which the diff below does not show.`}
      </strong>{' '}
      {added === null || removed === null ? null : `+${added} −${removed} lines. `}
      {committed.since === null ? null : (
        <>
          See them with <code>git diff {committed.since.slice(0, 12)} HEAD</code>
        </>
      )}
      <details>
        <summary>Which</summary>
        <ul>
          {files.map((file) => (
            <li key={file.path}>
              <Shown text={changedWords(file)} />
            </li>
          ))}
          {left === 0 ? null : <li>and {left} more</li>}
        </ul>
      </details>
    </div>
  );
}

function New() {
  return (
    <>
      {' '}
      <span class="mark warning">new since it was submitted</span>
    </>
  );
}

function ListPart({
  title,
  texts,
  fresh = [],
  findings,
}: {
  readonly title: string;
  readonly texts: readonly string[];
  /** Those that were agreed after the work was submitted. */
  readonly fresh?: readonly string[];
  readonly findings: readonly GateFinding[];
}) {
  if (texts.length === 0 && findings.length === 0) return null;
  return (
    <>
      <h3>{title}</h3>
      <ul class="bulleted">
        {texts.map((text, n) => (
          <li key={n}>
            <Prose text={text} />
            {fresh.includes(text) ? <New /> : null}
          </li>
        ))}
      </ul>
      <Beside findings={findings} />
    </>
  );
}

function Beside({ findings }: { readonly findings: readonly GateFinding[] }) {
  return (
    <>
      {findings.map(({ severity, rule, path, text, fix }, n) => (
        <p key={n} class={`found found-${severity}`}>
          <span class={`mark ${severity === 'note' ? 'waiting' : severity}`}>{severity}</span>{' '}
          <Shown text={text} />{' '}
          <span class="quiet">
            <Shown text={fix} /> <code title={path}>{rule}</code>
          </span>
        </p>
      ))}
    </>
  );
}

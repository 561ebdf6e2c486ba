/** What was probed when the packet was sealed, and on request whether it is still so. */
import { useSignal } from '@preact/signals';
import type { PacketPage } from '../../../src/server/contract/contract.ts';
import type { DriftAnswer } from '../../../src/server/contract/contract-looks.ts';
import { get, taskPath } from '../api/client.ts';
import { refusalOf, type Refusal } from '../api/refusal.ts';
import { LeftOut } from '../parts/left-out.tsx';
import { Pair } from '../parts/pair.tsx';
import { bytesOf, counted } from '../parts/said.ts';
import { Ago, DigestOf, RefusalNote, Section } from '../parts/words.tsx';
import { addressOf } from '../shell/place.ts';
import { Beside } from './beside.tsx';
import { runLine } from './contract.tsx';
import { DriftTable } from './drift.tsx';

type Facts = NonNullable<PacketPage['packet']['facts']>;

export function FactsPart({ shown }: { readonly shown: PacketPage }) {
  const { facts } = shown.packet;
  const drift = useSignal<DriftAnswer | undefined>(undefined);
  const refusal = useSignal<Refusal | undefined>(undefined);
  const busy = useSignal(false);
  const probe = async (): Promise<void> => {
    busy.value = true;
    try {
      drift.value = await get<DriftAnswer>(taskPath(shown.task, 'packets', shown.digest, 'drift'));
      refusal.value = undefined;
    } catch (error) {
      refusal.value = refusalOf(error);
    } finally {
      busy.value = false;
    }
  };
  const asked = drift.value?.packet === shown.digest ? drift.value : undefined;
  return (
    <Section
      title="Facts"
      aside={
        <>
          <span class="quiet">probed by the tool</span>
          <button type="button" disabled={busy.value} onClick={() => void probe()}>
            {busy.value ? 'Probing' : 'Still true?'}
          </button>
        </>
      }
    >
      {refusal.value === undefined ? null : <RefusalNote refusal={refusal.value} />}
      {asked === undefined ? null : <DriftTable drift={asked} />}
      {facts === undefined ? (
        <p class="quiet">Nothing was probed.</p>
      ) : (
        <>
          <Workspace shown={shown} facts={facts} />
          <Runs task={shown.task} facts={facts} />
          <dl class="pairs">
            {facts.progress === undefined ? null : (
              <Pair name="progress">{progressWords(facts.progress)}</Pair>
            )}
            {facts.phases?.map(({ name, status }) => (
              <Pair key={name} name={`phase ${name}`}>
                {status}
              </Pair>
            ))}
            {facts.session === undefined ? null : (
              <Pair name="session">
                {facts.session.runtime} {facts.session.id}, {counted(facts.session.records, 'record')} from{' '}
                <a
                  href={addressOf({
                    page: 'task',
                    task: shown.task,
                    view: 'history',
                    at: `s${facts.session.before + 1}`,
                  })}
                >
                  s{facts.session.before + 1}
                </a>
                {facts.session.omissions?.map(({ kind, count, why }) => (
                  <p key={kind} class="quiet">
                    left out: {kind} × {count}, {why}
                  </p>
                ))}
                <Beside path="facts.session" />
              </Pair>
            )}
            {facts.conversation === undefined ? null : (
              <Pair name="conversation">
                {facts.conversation.shape}, {counted(facts.conversation.records, 'message')}
                {facts.conversation.records === facts.conversation.goesOn?.kept ? (
                  ', none of them new'
                ) : (
                  <>
                    , new from{' '}
                    <a
                      href={addressOf({
                        page: 'task',
                        task: shown.task,
                        view: 'history',
                        at: `s${facts.conversation.before + 1}`,
                      })}
                    >
                      s{facts.conversation.before + 1}
                    </a>
                  </>
                )}
                <Beside path="facts.conversation" />
              </Pair>
            )}
          </dl>
        </>
      )}
    </Section>
  );
}

function progressWords({ at, of, unit, cursor }: NonNullable<Facts['progress']>): string {
  return `${at}${of === undefined ? '' : ` of ${of}`}${unit === undefined ? '' : ` ${unit}`}${cursor === undefined ? '' : `, go on from ${cursor}`}`;
}

function Workspace({ shown, facts }: { readonly shown: PacketPage; readonly facts: Facts }) {
  const { workspace, diff } = facts;
  if (workspace === undefined) return null;
  const { git, counts, changes, changesLeft, committed } = workspace;
  return (
    <>
      <dl class="pairs">
        <Pair name="workspace">
          <code>{workspace.root}</code>
        </Pair>
        <Pair name="tree">
          <DigestOf digest={workspace.digest} />
        </Pair>
        {git === null ? null : (
          <>
            <Pair name="branch">
              {git.branch ?? 'detached'}
              {git.base === null ? '' : `, from ${git.base.ref}`}
              {git.upstream === null
                ? ', no upstream'
                : `, upstream ${git.upstream.name}${git.upstream.ahead === null ? ' (gone)' : ` +${git.upstream.ahead} -${git.upstream.behind ?? 0}`}`}
            </Pair>
            <Pair name="HEAD">
              {git.head === null ? 'no commit yet' : <code>{git.head.slice(0, 12)}</code>}
            </Pair>
            {git.operation === null ? null : <Pair name="under way">{git.operation.kind}</Pair>}
          </>
        )}
        <Pair name="changes">
          {counts.staged} staged, {counts.unstaged} unstaged, {counts.untracked} untracked
          {counts.conflicted === 0 ? '' : `, ${counts.conflicted} conflicted`}
        </Pair>
        {diff === undefined ? null : (
          <Pair name="diff">
            <a href={addressOf({ page: 'task', task: shown.task, view: 'diff', packet: shown.digest })}>
              +{diff.added} −{diff.removed}
            </a>
            , {bytesOf(diff.bytes)}
            {diff.cut === true ? ', cut short' : ''}
          </Pair>
        )}
        {committed === undefined ? null : (
          <Pair name="committed">
            {counted(committed.files.length + committed.left, 'file')} since the work began
          </Pair>
        )}
      </dl>
      <Beside path="facts.workspace" />
      {changes.length === 0 ? null : (
        <details>
          <summary>{counted(changes.length + changesLeft, 'changed path')}</summary>
          <ul class="paths">
            {changes.map((change) => (
              <li key={change.path}>
                <a
                  href={addressOf({
                    page: 'task',
                    task: shown.task,
                    view: 'diff',
                    packet: shown.digest,
                    at: change.path,
                  })}
                >
                  <code>{change.path}</code>
                </a>{' '}
                <span class="quiet">
                  {change.conflict ??
                    (change.type === 'absent'
                      ? 'deleted'
                      : change.untracked === true
                        ? 'untracked'
                        : (change.staged ?? change.unstaged ?? 'modified'))}
                  {change.bytes === undefined ? '' : `, ${bytesOf(change.bytes)}`}
                </span>
              </li>
            ))}
            {changesLeft === 0 ? null : <li class="quiet">and {changesLeft} more</li>}
          </ul>
        </details>
      )}
      <LeftOut facts={facts} />
    </>
  );
}

function Runs({ task, facts: { runs = [] } }: { readonly task: string; readonly facts: Facts }) {
  if (runs.length === 0) return <Beside path="facts.runs" />;
  return (
    <div class="claim-group">
      <h3>Runs</h3>
      <ul class="claims">
        {runs.map(({ run, name, passed, failed }) => (
          <li key={runLine(run)}>
            {name === undefined ? null : <strong>{name} </strong>}
            <code>{runLine(run)}</code>
            <p class="grounds">
              {[
                { word: 'passed', one: passed },
                { word: 'failed', one: failed },
              ].map(({ word, one }) =>
                one === undefined ? null : (
                  <span key={word} class={`ran ran-${word}`}>
                    {word} <Ago at={one.at} />{' '}
                    <a href={addressOf({ page: 'task', task, view: 'journal', at: `r${one.entry}` })}>
                      <code>r{one.entry}</code>
                    </a>{' '}
                  </span>
                ),
              )}
            </p>
          </li>
        ))}
      </ul>
      <Beside path="facts.runs" />
    </div>
  );
}

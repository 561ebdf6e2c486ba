import type { DriftAnswer } from '../../../src/server/contract/contract-looks.ts';
import { Ago } from '../parts/words.tsx';
import { runLine } from './contract.tsx';

const words: Readonly<Record<NonNullable<DriftAnswer['drift']>[number]['standing'], string>> = {
  same: 'still true',
  changed: 'changed',
  committed: 'committed since',
  undone: 'undone',
  gone: 'gone',
  new: 'new',
};

/** Each fact of the packet beside what is there now. */
export function DriftTable({
  drift: { drift, unseen, validation, unwatched, skills, unpushed, at },
}: {
  readonly drift: DriftAnswer;
}) {
  const lacking = skills.filter(({ path }) => path === null);
  return (
    <div class="drift" role="status">
      <p class="quiet">
        Looked at again <Ago at={at} />, in the folder that the server runs in.
      </p>
      {drift === null ? (
        <p>{unseen ?? 'There is no workspace to compare with.'}</p>
      ) : (
        <div class="table-box" tabIndex={0} role="group" aria-label="Facts then and now">
          <table>
            <thead>
              <tr>
                <th scope="col">Fact</th>
                <th scope="col">Now</th>
                <th scope="col">Was</th>
                <th scope="col">Is</th>
              </tr>
            </thead>
            <tbody>
              {drift.map(({ fact, was, is, standing }) => (
                <tr key={fact} class={`standing-${standing}`}>
                  <th scope="row">
                    <code>{fact}</code>
                  </th>
                  <td>
                    <span class="standing">{words[standing]}</span>
                  </td>
                  <td>{short(was)}</td>
                  <td>{standing === 'same' ? '' : short(is)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      {validation.length === 0 ? null : (
        <ul class="claims">
          {validation.map(({ run, outcome, standing }) => (
            <li key={runLine(run)}>
              <code>{runLine(run)}</code>{' '}
              {outcome === null
                ? 'was not run'
                : `${outcome}, ${{ bound: 'on exactly this workspace', stale: 'on another workspace: stale', unknown: 'nobody knows on what', 'not-run': '' }[standing]}`}
            </li>
          ))}
        </ul>
      )}
      {unwatched === null ? null : <p class="note-line warning">{unwatched}</p>}
      {unpushed === null ? null : <p class="note-line warning">{unpushed}</p>}
      {lacking.length === 0 ? null : (
        <p class="note-line warning">
          Skills that are not here: {lacking.map(({ skill }) => skill).join(', ')}
        </p>
      )}
    </div>
  );
}

function short(text: string | null) {
  if (text === null) return <span class="quiet">nothing</span>;
  const isDigest = /^(?:sha256:)?[0-9a-f]{40,64}$/.test(text);
  return isDigest ? <code title={text}>{text.replace('sha256:', '').slice(0, 12)}</code> : <>{text}</>;
}

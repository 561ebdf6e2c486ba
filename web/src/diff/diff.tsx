/** The diff of a packet: what changed, file by file, and what of it acts by itself. */
import { counted } from '../parts/said.ts';
import '../style/diff.css';
import { useEffect, useMemo } from 'preact/hooks';
import type { SensitivePaths } from '../../../src/server/contract/contract-looks.ts';
import { get, getText, taskPath } from '../api/client.ts';
import { useLoaded } from '../api/loaded.ts';
import { Loading, RefusalNote } from '../parts/words.tsx';
import { useKeys, type Binding } from '../shell/keys.ts';
import type { Commenting } from './comment.ts';
import { Desk } from './desk.ts';
import { Counts, FilePart, Name } from './file.tsx';
import { parseDiff, type ParsedDiff } from '../../../src/core/diff/parse.ts';
import { loadColours } from './stretch.tsx';
import { Shown } from './text.tsx';
import { changeLook, look, viewedOf } from './viewed.ts';

interface Props {
  readonly task: string;
  /** The packet's digest. */
  readonly packet: string;
  /** The path of a file to begin at. */
  readonly at?: string | undefined;
  /** Lines can be remarked on. */
  readonly commenting?: Commenting | undefined;
  /** Called with what was read. */
  readonly onRead?: (diff: ParsedDiff) => void;
}

export function Diff({ task, packet, at, commenting, onRead }: Props) {
  const key = `${task}/${packet}`;
  const { value, refusal, reload } = useLoaded(key, async (signal) => {
    const text = await getText(taskPath(task, 'packets', packet, 'diff'), signal);
    const diff = parseDiff(text);
    onRead?.(diff);
    return { key, diff };
  });
  useEffect(loadColours, []);
  const diff = value.value?.key === key ? value.value.diff : undefined;
  const desk = useMemo(() => (diff === undefined ? undefined : new Desk(diff.files, packet)), [diff, packet]);
  if (desk !== undefined) desk.commenting = commenting;
  useEffect(() => {
    const file = desk?.files.findIndex(({ path }) => path === at) ?? -1;
    if (file >= 0) desk?.go({ file, row: -1 });
  }, [desk, at]);
  return (
    <div class="diff">
      <Sensitive task={task} packet={packet} />
      {refusal.value === undefined ? null : refusal.value.problem.code === 'unknown-packet' ? (
        <p class="quiet">
          {refusal.value.problem.detail} {refusal.value.problem.hint}
        </p>
      ) : (
        <RefusalNote refusal={refusal.value} retry={reload} />
      )}
      {diff === undefined || desk === undefined ? (
        refusal.value === undefined && <Loading what="the diff" />
      ) : (
        <Files desk={desk} diff={diff} />
      )}
    </div>
  );
}

function Files({ desk, diff }: { readonly desk: Desk; readonly diff: ParsedDiff }) {
  useKeys(useMemo(() => keysOf(desk), [desk, desk.commenting === undefined]));
  const { files, cut } = diff;
  if (files.length === 0) return <p class="quiet">Nothing was changed that is not committed.</p>;
  return (
    <>
      {cut ? (
        <p class="banner">The diff was longer than is kept, and ends early. Not every change is shown.</p>
      ) : null}
      <Bar desk={desk} />
      {files.map((_, at) => (
        <FilePart key={at} desk={desk} at={at} />
      ))}
    </>
  );
}

function Bar({ desk }: { readonly desk: Desk }) {
  const { files } = desk;
  const { split, wrap } = look.value;
  const viewed = viewedOf(desk.packet).value;
  const done = files.filter(({ path }) => viewed.has(path)).length;
  const sum = (of: 'added' | 'removed'): number => files.reduce((all, file) => all + file[of], 0);
  return (
    <div class="diff-bar">
      <details open={files.length <= 12}>
        <summary>
          {counted(files.length, 'file')} <Counts added={sum('added')} removed={sum('removed')} />{' '}
          <span class="quiet">
            {done} of {files.length} viewed
          </span>
        </summary>
        <ul class="rows file-list">
          {files.map((file, at) => (
            <li key={at}>
              <button type="button" class="plain" onClick={() => desk.go({ file: at, row: -1 })}>
                <Name file={file} />
              </button>{' '}
              <Counts added={file.added} removed={file.removed} />{' '}
              {viewed.has(file.path) ? <span class="quiet">viewed</span> : null}
            </li>
          ))}
        </ul>
      </details>
      <fieldset>
        <legend class="visually-hidden">How to show it</legend>
        <label>
          <input
            type="checkbox"
            checked={split}
            onChange={(event) => desk.turn(event.currentTarget.checked)}
          />{' '}
          side by side
        </label>
        <label>
          <input
            type="checkbox"
            checked={wrap || split}
            disabled={split}
            title={split ? 'Side by side, long lines are always wrapped.' : undefined}
            onChange={(event) => changeLook({ wrap: event.currentTarget.checked })}
          />{' '}
          wrap lines
        </label>
      </fieldset>
    </div>
  );
}

function Sensitive({ task, packet }: { readonly task: string; readonly packet: string }) {
  const { value, refusal } = useLoaded(
    `sensitive/${task}/${packet}`,
    async (signal) => await get<SensitivePaths>(taskPath(task, 'packets', packet, 'sensitive'), {}, signal),
  );
  const paths = value.value?.paths ?? [];
  if (refusal.value !== undefined)
    return <p class="banner">Whether a changed path acts by itself could not be found out.</p>;
  if (paths.length === 0) return null;
  return (
    <div class="banner" role="note">
      <strong>
        {paths.length === 1 ? 'A changed path' : `${paths.length} changed paths`} with an effect of{' '}
        {paths.length === 1 ? 'its' : 'their'} own:
      </strong>
      <ul>
        {paths.map(({ path, reason }) => (
          <li key={path}>
            <code>
              <Shown text={path} />
            </code>{' '}
            {reason}
          </li>
        ))}
      </ul>
    </div>
  );
}

function keysOf(desk: Desk): readonly Binding[] {
  const here = (): number => desk.cursor.peek()?.file ?? 0;
  return [
    { keys: 'j', does: 'Next line', run: () => desk.step(1, 'line') },
    { keys: 'k', does: 'Line before', run: () => desk.step(-1, 'line') },
    { keys: 'J', does: 'Next change', run: () => desk.step(1, 'change') },
    { keys: 'K', does: 'Change before', run: () => desk.step(-1, 'change') },
    { keys: 'n', does: 'Next file', run: () => desk.stepFile(1) },
    { keys: 'p', does: 'File before', run: () => desk.stepFile(-1) },
    { keys: 'v', does: 'Mark the file as viewed, or not', run: () => desk.view(here()) },
    { keys: 'f', does: 'Fold or unfold the file', run: () => desk.fold(here()) },
    { keys: 's', does: 'Side by side, or not', run: () => desk.turn(!look.peek().split) },
    { keys: 'w', does: 'Wrap long lines, or not', run: () => changeLook({ wrap: !look.peek().wrap }) },
    ...(desk.commenting === undefined
      ? []
      : [{ keys: 'c', does: 'Remark on the line', run: () => desk.comment() }]),
  ];
}

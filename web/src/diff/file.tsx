/** One file of a diff. */
import { useLayoutEffect, useMemo, useRef } from 'preact/hooks';
import type { Desk } from './desk.ts';
import type { FileDiff } from '../../../src/core/diff/parse.ts';
import { emptyWords } from './empty.ts';
import { piecesOfRows } from './rows.ts';
import { Stretch } from './stretch.tsx';
import { Shown } from './text.tsx';
import { look, viewedOf } from './viewed.ts';

export function FilePart({ desk, at }: { readonly desk: Desk; readonly at: number }) {
  const file = desk.files[at];
  const head = useRef<HTMLButtonElement>(null);
  const cursor = desk.cursor.value;
  const isHere = cursor?.file === at && cursor.row === -1;
  useLayoutEffect(() => {
    if (!isHere) return;
    head.current?.focus({ preventScroll: true });
    head.current?.closest('section')?.scrollIntoView({ block: 'start' });
  }, [isHere, cursor]);
  if (file === undefined) return null;
  const isFolded = desk.folded.value.has(at);
  const isViewed = viewedOf(desk.packet).value.has(file.path);
  return (
    <section class="file" aria-label={file.path} id={`file-${at}`}>
      <header>
        <button
          type="button"
          class="plain name"
          ref={head}
          aria-expanded={!isFolded}
          onClick={() => {
            desk.go({ file: at, row: -1 });
            desk.fold(at);
          }}
        >
          <Name file={file} />
        </button>
        <Kind file={file} />
        {file.crlf ? (
          <span
            class="mark waiting"
            title="Its lines end with CR and LF: said here once, and not in each line"
          >
            CRLF
          </span>
        ) : null}
        <Counts added={file.added} removed={file.removed} />
        <label>
          <input
            type="checkbox"
            checked={isViewed}
            onChange={(event) => desk.view(at, event.currentTarget.checked)}
          />{' '}
          viewed<span class="visually-hidden">: {file.path}</span>
        </label>
      </header>
      {isFolded ? null : <Body desk={desk} at={at} file={file} />}
    </section>
  );
}

export function Name({ file: { path, from } }: { readonly file: FileDiff }) {
  return (
    <bdi>
      {from === null ? null : (
        <>
          <Shown text={from} /> →{' '}
        </>
      )}
      <Shown text={path} />
    </bdi>
  );
}

export function Counts({ added, removed }: { readonly added: number; readonly removed: number }) {
  if (added + removed === 0) return null;
  return (
    <span class="counts">
      <span class="plus">+{added}</span> <span class="minus">−{removed}</span>
    </span>
  );
}

const modeWords: Readonly<Record<string, string>> = {
  '100644': 'a plain file',
  '100755': 'executable',
  '120000': 'a link',
  '160000': 'a submodule',
};

function worded(mode: string): string {
  return modeWords[mode] ?? mode;
}

function Kind({ file: { status, similarity, oldMode, newMode, binary } }: { readonly file: FileDiff }) {
  const mode =
    oldMode !== null && newMode !== null && oldMode !== newMode
      ? `${worded(oldMode)} became ${worded(newMode)}`
      : (newMode ?? oldMode ?? '100644') === '100644'
        ? undefined
        : worded(newMode ?? oldMode ?? '');
  return (
    <>
      {status === 'modified' ? null : (
        <span class="mark waiting">
          {status}
          {similarity === null ? '' : `, ${similarity}% the same`}
        </span>
      )}
      {mode === undefined ? null : <span class="mark warning">{mode}</span>}
      {binary ? <span class="mark waiting">binary</span> : null}
    </>
  );
}

function Body({ desk, at, file }: { readonly desk: Desk; readonly at: number; readonly file: FileDiff }) {
  const { split, wrap } = look.value;
  const rows = useMemo(() => desk.rowsOf(at), [desk, at, split]);
  const pieces = useMemo(() => piecesOfRows(rows.length), [rows]);
  if (rows.length === 0) return <p class="quiet nothing-shown">{emptyWords(file)}</p>;
  const click = (event: MouseEvent): void => {
    if (!(event.target instanceof Element) || getSelection()?.isCollapsed === false) return;
    const row = event.target.closest<HTMLElement>('tr[data-row]')?.dataset['row'];
    const side = event.target.closest<HTMLElement>('td[data-side]')?.dataset['side'];
    if (row === undefined || (side !== 'old' && side !== 'new')) return;
    desk.go({ file: at, row: Number(row) });
    desk.comment(split ? side : undefined);
  };
  return (
    <div
      // What scrolls sideways can be reached by the keyboard.
      tabIndex={split || wrap ? undefined : 0}
      class={`code-box ${split || wrap ? 'wraps' : ''} ${desk.commenting === undefined ? '' : 'takes-notes'}`}
    >
      <table class={`lines ${split ? 'split' : ''}`} onClick={click} aria-label={`Changes of ${file.path}`}>
        <colgroup>
          <col class="no" />
          <col class={split ? 'code' : 'no'} />
          {split ? <col class="no" /> : null}
          <col class="code" />
        </colgroup>
        {pieces.map(({ from, to }) => (
          <Stretch
            key={`${split}-${from}`}
            desk={desk}
            file={at}
            rows={rows}
            from={from}
            to={to}
            split={split}
          />
        ))}
      </table>
    </div>
  );
}

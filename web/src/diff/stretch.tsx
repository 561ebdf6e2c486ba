/**
 * Some rows of a file. They are drawn when they come near to what is seen and taken away when they are far, with their height kept, so
 * that a diff of any length costs what is on the screen.
 */
import { signal, useComputed, useSignal } from '@preact/signals';
import { useEffect, useLayoutEffect, useMemo, useRef } from 'preact/hooks';
import type * as Colours from './colours.ts';
import type { Desk } from './desk.ts';
import { isAt } from './comment.ts';
import { languageOf } from './language.ts';
import { CodeRow } from './line.tsx';
import { watchNear } from './near.ts';
import { Note } from './note.tsx';
import type { DiffLine } from '../../../src/core/diff/parse.ts';
import type { Colour } from './pieces.ts';
import { lineOf, type Row } from './rows.ts';

const rowPx = 20;
const colourer = signal<typeof Colours | undefined>(undefined);

export function loadColours(): void {
  if (colourer.peek() === undefined) void import('./colours.ts').then((loaded) => (colourer.value = loaded));
}

interface Props {
  readonly desk: Desk;
  readonly file: number;
  readonly rows: readonly Row[];
  readonly from: number;
  readonly to: number;
  readonly split: boolean;
}

export function Stretch({ desk, file, rows, from, to, split }: Props) {
  const body = useRef<HTMLTableSectionElement>(null);
  const near = useSignal(false);
  const height = useRef((to - from) * rowPx);
  useEffect(() => {
    const { current } = body;
    if (current === null) return undefined;
    return watchNear(current, (is) => {
      if (!is && near.peek()) height.current = current.getBoundingClientRect().height;
      near.value = is;
    });
  }, []);
  const at = useComputed(() => {
    const cursor = desk.cursor.value;
    return cursor?.file === file && cursor.row >= from && cursor.row < to ? cursor : undefined;
  });
  const isDrawn = near.value || at.value !== undefined;
  useLayoutEffect(() => {
    if (at.value === undefined || desk.editing.peek() !== undefined) return;
    const row = body.current?.querySelector<HTMLElement>(`[data-row="${at.value.row}"]`);
    row?.focus({ preventScroll: true });
    row?.scrollIntoView({ block: 'nearest' });
  }, [at.value]);
  const shown = useMemo(() => rows.slice(from, to), [rows, from, to]);
  const colours = useColours(shown, desk.files[file]?.path ?? '', isDrawn);
  const columns = split ? 4 : 3;
  return (
    <tbody ref={body}>
      {isDrawn ? (
        shown.map((row, n) => (
          <RowPart
            key={from + n}
            desk={desk}
            file={file}
            row={row}
            at={from + n}
            isHere={at.value?.row === from + n}
            split={split}
            colours={colours}
          />
        ))
      ) : (
        <tr>
          <td colSpan={columns} style={{ height: `${height.current}px` }} />
        </tr>
      )}
    </tbody>
  );
}

function RowPart({
  desk,
  file,
  row,
  at,
  isHere,
  split,
  colours,
}: {
  readonly desk: Desk;
  readonly file: number;
  readonly row: Row;
  readonly at: number;
  readonly isHere: boolean;
  readonly split: boolean;
  readonly colours: ReadonlyMap<DiffLine, readonly Colour[]>;
}) {
  return (
    <>
      <CodeRow row={row} at={at} isHere={isHere} split={split} colours={colours} />
      {desk.commenting === undefined ? null : (
        <Notes desk={desk} file={file} row={row} at={at} split={split} />
      )}
    </>
  );
}

/** The remarks on a row: of both its sides where they differ. */
function Notes({
  desk,
  file,
  row,
  at,
  split,
}: {
  readonly desk: Desk;
  readonly file: number;
  readonly row: Row;
  readonly at: number;
  readonly split: boolean;
}) {
  if (row.kind !== 'line') return null;
  const sides =
    row.old !== undefined && row.old !== row.new && row.new !== undefined ? ['old', 'new'] : [undefined];
  return (
    <>
      {sides.map((side) => {
        const spot = desk.spotAt({ file, row: at }, side as 'old' | 'new' | undefined);
        const comment =
          spot === undefined ? undefined : desk.commenting?.comments.find((one) => isAt(one, spot));
        return spot === undefined || (comment === undefined && !desk.isEditing(spot)) ? null : (
          <Note key={spot.side} desk={desk} spot={spot} text={comment?.text ?? ''} columns={split ? 4 : 3} />
        );
      })}
    </>
  );
}

function useColours(
  rows: readonly Row[],
  path: string,
  isDrawn: boolean,
): ReadonlyMap<DiffLine, readonly Colour[]> {
  const colouring = colourer.value;
  return useMemo(() => {
    const language = languageOf(path);
    if (colouring === undefined || language === undefined || !isDrawn) return new Map();
    const [old, now]: [DiffLine[], DiffLine[]] = [[], []];
    for (const row of rows) {
      if (row.kind !== 'line') continue;
      if (row.old !== undefined) old.push(row.old);
      const found = lineOf(row, 'new')?.line;
      if (found !== undefined) now.push(found);
    }
    return new Map([...colouring.colourLines(old, language), ...colouring.colourLines(now, language)]);
  }, [rows, path, isDrawn, colouring]);
}

/** One row of code. Numbers and signs are drawn by the style sheet, so that copying takes the code alone. */
import { Component } from 'preact';
import type { DiffLine } from '../../../src/core/diff/parse.ts';
import type { Colour } from './pieces.ts';
import type { Row, Side } from './rows.ts';
import { Shown } from './text.tsx';
import { turns } from './visible.ts';
import { changedWords } from './words.ts';

interface Props {
  readonly row: Row;
  readonly at: number;
  /** The reader is here: the row takes the focus. */
  readonly isHere: boolean;
  readonly split: boolean;
  readonly colours: ReadonlyMap<DiffLine, readonly Colour[]>;
}

/** Drawn again only when something about it is another: a long diff has thousands. */
export class CodeRow extends Component<Props> {
  override shouldComponentUpdate(next: Props): boolean {
    const names = ['row', 'at', 'isHere', 'split', 'colours'] as const;
    return names.some((name) => next[name] !== this.props[name]);
  }

  override render() {
    return drawnRow(this.props);
  }
}

function drawnRow({ row, at, isHere, split, colours }: Props) {
  if (row.kind === 'hunk')
    return (
      <tr class="hunk">
        <td colSpan={split ? 4 : 3}>
          <Shown text={row.hunk.header.replace(/\r$/, '')} />
        </td>
      </tr>
    );
  if (row.kind === 'cut')
    return (
      <tr class="cut">
        <td colSpan={split ? 4 : 3}>The diff was too long and ends here.</td>
      </tr>
    );
  const { old, new: now } = row;
  const place = { 'data-row': at, tabIndex: isHere ? 0 : -1 };
  if (split)
    return (
      <tr class="line" {...place}>
        <No line={old} side="old" />
        <Code line={old} side="old" colours={colours} />
        <No line={now} side="new" />
        <Code line={now} side="new" colours={colours} />
      </tr>
    );
  const line = now ?? old;
  return (
    <tr class="line" {...place}>
      <No line={old} side="old" />
      <No line={now} side="new" />
      <Code line={line} side={now === undefined ? 'old' : 'new'} colours={colours} />
    </tr>
  );
}

const words = { '+': 'added', '-': 'removed', ' ': 'same', '': 'same' } as const;

function No({ line, side }: { readonly line: DiffLine | undefined; readonly side: Side }) {
  const kind = line === undefined ? 'nothing' : words[line.mark];
  return <td class={`no ${kind}`} data-side={side} data-n={line?.[side] ?? ''} />;
}

function Code({
  line,
  side,
  colours,
}: {
  readonly line: DiffLine | undefined;
  readonly side: Side;
  readonly colours: ReadonlyMap<DiffLine, readonly Colour[]>;
}) {
  if (line === undefined) return <td class="code nothing" />;
  return (
    <td class={`code ${words[line.mark]}`} data-side={side} dir="ltr">
      <Shown
        text={line.end === 'usual' ? line.text.slice(0, -1) : line.text}
        words={changedWords(line)}
        colours={colours.get(line) ?? []}
      />
      {line.end === 'bare' ? (
        <span class="hidden-character" title="It ends with LF alone, and the file with CR and LF">
          LF
        </span>
      ) : null}
      {line.noEnd === undefined ? null : <span class="aside"> no line end</span>}
      {turns(line.text) ? <span class="aside warns"> changes the reading direction</span> : null}
    </td>
  );
}

/** Text that somebody else wrote, with what would not be seen made visible. */
import '../style/prose.css';
import type { Range } from './words.ts';
import { piecesOf, type Colour } from './pieces.ts';

const none: readonly never[] = [];

export function Shown({
  text,
  words = none,
  colours = none,
  prose = false,
}: {
  readonly text: string;
  readonly words?: readonly Range[];
  readonly colours?: readonly Colour[];
  /** Language and no code: what it is written with is not named. */
  readonly prose?: boolean;
}) {
  const pieces = piecesOf(text, words, colours, prose);
  return (
    <>
      {pieces.map(({ text: own, scope, changed, hidden }) => {
        if (hidden !== undefined)
          return (
            <span class="hidden-character" title="A character that is not seen">
              {hidden}
            </span>
          );
        const marks = [...(scope === undefined ? [] : [`hl-${scope}`]), ...(changed ? ['word'] : [])];
        return marks.length === 0 ? own : <span class={marks.join(' ')}>{own}</span>;
      })}
    </>
  );
}

/** A text of many lines: line ends are lines here, and nothing else is hidden. */
export function Said({ text, prose = false }: { readonly text: string; readonly prose?: boolean }) {
  return (
    <>
      {text.split('\n').map((line, n) => (
        <>
          {n === 0 ? null : '\n'}
          <Shown text={line} prose={prose} />
        </>
      ))}
    </>
  );
}

/** Text that somebody else wrote, with what would not be seen made visible. */
import type { Range } from './words.ts';
import { piecesOf, type Colour } from './pieces.ts';

const none: readonly never[] = [];

export function Shown({
  text,
  words = none,
  colours = none,
}: {
  readonly text: string;
  readonly words?: readonly Range[];
  readonly colours?: readonly Colour[];
}) {
  const pieces = piecesOf(text, words, colours);
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
export function Said({ text }: { readonly text: string }) {
  return (
    <>
      {text.split('\n').map((line, n) => (
        <>
          {n === 0 ? null : '\n'}
          <Shown text={line} />
        </>
      ))}
    </>
  );
}

/** A remark on a line, to be read or written. What is typed is a draft at once. */
import { useLayoutEffect, useRef } from 'preact/hooks';
import { placeWords, type Spot } from './comment.ts';
import type { Desk } from './desk.ts';
import { Said } from './text.tsx';

interface Props {
  readonly desk: Desk;
  readonly spot: Spot;
  readonly text: string;
  readonly columns: number;
}

export function Note({ desk, spot, text, columns }: Props) {
  const where = `the remark on ${placeWords(spot)}`;
  return (
    <tr class="note">
      <td colSpan={columns}>
        {desk.isEditing(spot) ? (
          <Editor desk={desk} spot={spot} text={text} />
        ) : (
          <div class="note-text">
            <p>
              <Said text={text} />
            </p>
            <button
              type="button"
              class="plain"
              aria-label={`Change ${where}`}
              onClick={() => (desk.editing.value = spot)}
            >
              Change
            </button>
            <button
              type="button"
              class="plain"
              aria-label={`Remove ${where}`}
              onClick={() => desk.commenting?.write(spot, '')}
            >
              Remove
            </button>
          </div>
        )}
      </td>
    </tr>
  );
}

function Editor({ desk, spot, text }: Omit<Props, 'columns'>) {
  const field = useRef<HTMLTextAreaElement>(null);
  // At once: what is typed next belongs here.
  useLayoutEffect(() => {
    field.current?.focus();
    field.current?.scrollIntoView({ block: 'nearest' });
  }, []);
  const done = (): void => desk.stopEditing();
  return (
    <form
      class="note-editor"
      onSubmit={(event) => {
        event.preventDefault();
        done();
      }}
    >
      <label>
        <span class="quiet">
          {spot.path}:{spot.line}
          {spot.side === 'old' ? ' as it was' : ''}
        </span>
        <textarea
          ref={field}
          rows={3}
          placeholder="What must change?"
          defaultValue={text}
          onInput={(event) => desk.commenting?.write(spot, event.currentTarget.value)}
          onKeyDown={(event) => {
            const isDone =
              event.key === 'Escape' || (event.key === 'Enter' && (event.ctrlKey || event.metaKey));
            if (!isDone) return;
            event.preventDefault();
            done();
          }}
        />
      </label>
      <button>Done</button>{' '}
      <button
        type="button"
        class="plain"
        onClick={() => {
          desk.commenting?.write(spot, '');
          done();
        }}
      >
        Remove
      </button>
      <span class="quiet">
        Kept as a draft until the verdict. <kbd>Esc</kbd> leaves.
      </span>
    </form>
  );
}

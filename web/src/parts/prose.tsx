/** A text that somebody wrote, as Markdown once what reads that is loaded, and as plain text before. */
import { signal } from '@preact/signals';
import type { Markdown as Reader } from './markdown.tsx';
import { Said } from '../diff/text.tsx';
import { isReadable } from './readable.ts';

const reader = signal<typeof Reader | undefined>(undefined);
let asked = false;

/** Text of this kind is one plain line; there is nothing to read in it. */
const isPlain = (text: string): boolean => !/[\n`*_[\]<>#|~&\\]|https?:|^\s*(?:[-+>]|\d+[.)])\s/.test(text);

export function Prose({ text }: { readonly text: string }) {
  const asIs = isPlain(text) || !isReadable(text);
  if (!asIs) load();
  const Markdown = reader.value;
  if (asIs || Markdown === undefined)
    return (
      <div class="prose as-is">
        <Said text={text} prose />
      </div>
    );
  return (
    <div class="prose">
      <Markdown text={text} />
    </div>
  );
}

function load(): void {
  if (asked) return;
  asked = true;
  void import('./markdown.tsx').then(
    ({ Markdown }) => (reader.value = Markdown),
    () => (asked = false),
  );
}

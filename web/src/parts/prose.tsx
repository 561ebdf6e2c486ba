/** A text that somebody wrote, as Markdown once what reads that is loaded, and as plain text before. */
import { signal } from '@preact/signals';
import { useMemo } from 'preact/hooks';

type Clean = (text: string) => string;

const clean = signal<Clean | undefined>(undefined);
let asked = false;

/** Text of this kind is one plain line; there is nothing to read in it. */
const isPlain = (text: string): boolean => !/[\n`*_[\]<>#|~&\\]|https?:|^\s*(?:[-+>]|\d+[.)])\s/.test(text);

/** Longer ones are logs; reading them as Markdown would hold up the page. */
const charsMax = 20_000;

export function Prose({ text }: { readonly text: string }) {
  const asIs = text.length > charsMax || isPlain(text);
  if (!asIs) load();
  const read = clean.value;
  const markup = useMemo(() => (asIs ? undefined : read?.(text)), [text, asIs, read]);
  if (markup === undefined) return <div class="prose as-is">{text}</div>;
  return <div class="prose" dangerouslySetInnerHTML={{ __html: markup }} />;
}

function load(): void {
  if (asked) return;
  asked = true;
  void import('./markdown.ts').then(
    ({ cleanMarkup }) => (clean.value = cleanMarkup),
    () => (asked = false),
  );
}

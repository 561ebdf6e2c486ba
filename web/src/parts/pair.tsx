import type { ComponentChildren } from 'preact';

/** A name and what it stands for, in a list of such pairs: `<dl class="pairs">`. */
export function Pair({ name, children }: { readonly name: string; readonly children: ComponentChildren }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

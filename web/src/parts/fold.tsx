import type { ComponentChildren } from 'preact';

interface FoldProps {
  /** What tells it from the others of its list. */
  readonly id: string;
  /** Those that are open. A row that leaves the view is taken out of the page, and comes back as it was left. */
  readonly opened: Set<string>;
  readonly class?: string;
  readonly summary: ComponentChildren;
  readonly children: ComponentChildren;
}

export function Fold({ id, opened, class: name, summary, children }: FoldProps) {
  return (
    <details
      class={name}
      open={opened.has(id)}
      onToggle={({ currentTarget }) => {
        if (currentTarget.open) opened.add(id);
        else opened.delete(id);
      }}
    >
      <summary>{summary}</summary>
      {children}
    </details>
  );
}

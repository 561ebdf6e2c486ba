import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { Finding } from './beside.ts';

/** The findings of the packet that is shown, by place. */
export const BesideContext = createContext<ReadonlyMap<string, readonly Finding[]>>(new Map());

/** What the gate found about what stands before it. */
export function Beside({ path }: { readonly path: string }) {
  const found = useContext(BesideContext).get(path) ?? [];
  if (found.length === 0) return null;
  return (
    <ul class="beside">
      {found.map(({ rule, severity, text, fix, path: at }) => (
        <li key={`${rule} ${at} ${text}`} class={`note-line ${severity}`}>
          <strong>{severity}</strong> {text} <span class="fix">{fix}</span>{' '}
          <code class="quiet">
            {rule} · {at}
          </code>
        </li>
      ))}
    </ul>
  );
}

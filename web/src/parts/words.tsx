/** Small things that are shown the same everywhere. */
import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import type { Refusal } from '../api/refusal.ts';
import { ago, now } from './clock.ts';

/** How it stands, in plain words. */
export function Stands({ stands }: { readonly stands: string }) {
  return <span class={`stands stands-${stands.replace(' ', '-')}`}>{stands}</span>;
}

export function Lane({ lane }: { readonly lane: string | null }) {
  return lane === null ? null : <span class={`lane lane-${lane}`}>{lane}</span>;
}

export function Ago({ at }: { readonly at: number }) {
  return (
    <time dateTime={new Date(at).toISOString()} title={new Date(at).toLocaleString()}>
      {ago(at, now.value)}
    </time>
  );
}

/** The first letters of a digest; all of it on request, and to the clipboard on a click. */
export function DigestOf({ digest }: { readonly digest: string | null | undefined }) {
  if (digest === null || digest === undefined) return <span class="quiet">none</span>;
  const short = digest.replace(/^sha256:/, '').slice(0, 12);
  return (
    <Copy text={digest} class="digest" label={`Copy the digest ${short}`}>
      {short}
    </Copy>
  );
}

export function Copy({
  text,
  label,
  class: className = '',
  children,
}: {
  readonly text: string;
  readonly label: string;
  readonly class?: string;
  readonly children: ComponentChildren;
}) {
  const copied = useSignal(false);
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(text);
      copied.value = true;
      setTimeout(() => (copied.value = false), 1200);
    } catch {
      // Not allowed here: the title still shows all of it.
    }
  };
  return (
    <button
      type="button"
      class={`copy ${className}`}
      title={text}
      aria-label={label}
      onClick={() => void copy()}
    >
      {children}
      <span class="copied" role="status">
        {copied.value ? 'copied' : ''}
      </span>
    </button>
  );
}

/** What does the same at the command line: all of it, to be read, selected or copied as it is. */
export function Twin({ command }: { readonly command: string }) {
  return (
    <span class="twin">
      <code>
        {command.split(/(sha256:[0-9a-f]{64})/).map((part, n) =>
          n % 2 === 0 ? (
            part
          ) : (
            <span key={n} class="long-digest" title={part}>
              {part.slice(0, 19)}
              <span>{part.slice(19)}</span>
            </span>
          ),
        )}
      </code>{' '}
      <Copy text={command} class="copy-twin" label={`Copy the command: ${command}`}>
        copy
      </Copy>
    </span>
  );
}

export function RefusalNote({ refusal, retry }: { readonly refusal: Refusal; readonly retry?: () => void }) {
  const { detail, hint, code } = refusal.problem;
  return (
    <div class="refusal" role="alert">
      <p>
        <strong>{detail}</strong>
      </p>
      {hint === undefined ? null : <p>{hint}</p>}
      <p class="quiet">
        {code}
        {retry === undefined ? null : (
          <button type="button" class="plain" onClick={retry}>
            Try again
          </button>
        )}
      </p>
    </div>
  );
}

export function Loading({ what }: { readonly what: string }) {
  return (
    <p class="loading" role="status">
      Loading {what}.
    </p>
  );
}

/** A part of a page with a heading that can be linked to. */
export function Section({
  title,
  aside,
  children,
  id,
}: {
  readonly title: ComponentChildren;
  readonly aside?: ComponentChildren;
  readonly children: ComponentChildren;
  readonly id?: string;
}) {
  return (
    <section class="part" id={id}>
      <header>
        <h2>{title}</h2>
        {aside}
      </header>
      {children}
    </section>
  );
}

/**
 * A long list in a box of its own, of which only what is in view is in the page. Rows may be of any height, and change it: what the reader
 * looks at stays where it is when something above it turns out to be higher than was thought.
 */
import type { ComponentChildren } from 'preact';
import { useEffect, useLayoutEffect, useReducer, useRef, useState } from 'preact/hooks';
import { Heights } from './heights.ts';

interface Props {
  readonly label: string;
  readonly count: number;
  /** How high a row is before it was seen. */
  readonly rowPx: number;
  readonly render: (index: number) => ComponentChildren;
  /** Shown first, and again when it is another. */
  readonly at?: number | undefined;
  /** What the rows are of; others are seen anew. */
  readonly of?: string;
  readonly class?: string;
}

/** Rows beyond what is in view, so that a quick hand finds something there. */
const beyond = 8;

class Window {
  readonly heights: Heights;
  readonly #redraw: () => void;
  readonly #indexes = new WeakMap<Element, number>();
  readonly #seen = new ResizeObserver((entries) => this.#measure(entries));
  box: HTMLElement | null = null;
  /** Kept in view until the reader goes elsewhere. */
  held: number | undefined;

  constructor(rowPx: number, redraw: () => void) {
    this.heights = new Heights(rowPx);
    this.#redraw = redraw;
  }

  range(): { readonly from: number; readonly to: number } {
    const top = this.box?.scrollTop ?? 0;
    const height = this.box?.clientHeight ?? 800;
    const from = Math.max(0, this.heights.rowAt(top) - beyond);
    const to = Math.min(this.heights.count, this.heights.rowAt(top + height) + beyond + 1);
    this.#shown = { from, to };
    return this.#shown;
  }

  #shown = { from: 0, to: 0 };
  /** Where we last scrolled to ourselves: anywhere else is where the reader went. */
  #own = 0;

  readonly #scrolled = (): void => {
    if (Math.abs((this.box?.scrollTop ?? 0) - this.#own) > 1) this.held = undefined;
    const before = this.#shown;
    const { from, to } = this.range();
    if (before.from !== from || before.to !== to) this.#redraw();
  };

  /** Looks at a row while it is in the page; call what comes back when it is not. */
  row(index: number, element: Element): () => void {
    this.#indexes.set(element, index);
    this.#seen.observe(element);
    return () => this.#seen.unobserve(element);
  }

  hold(index: number | undefined): void {
    this.held = index;
    if (index !== undefined && this.box !== null) {
      this.#scrollTo(this.heights.top(index));
      this.box.scrollIntoView({ block: 'nearest' });
    }
    this.#redraw();
  }

  watch(box: HTMLElement): () => void {
    this.box = box;
    const resized = new ResizeObserver(this.#redraw);
    box.addEventListener('scroll', this.#scrolled, { passive: true });
    resized.observe(box);
    return () => {
      resized.disconnect();
      this.#seen.disconnect();
    };
  }

  #scrollTo(top: number): void {
    if (this.box === null) return;
    this.box.scrollTop = top;
    // As far as it goes.
    this.#own = this.box.scrollTop;
  }

  #measure(entries: readonly ResizeObserverEntry[]): void {
    const { box } = this;
    if (box === null) return;
    let above = 0;
    let changed = false;
    for (const { target, borderBoxSize } of entries) {
      const index = this.#indexes.get(target);
      const height = borderBoxSize[0]?.blockSize ?? 0;
      // What is taken out of the page has no height; it is not what anybody saw.
      if (index === undefined || height === 0) continue;
      const top = this.heights.top(index);
      const more = this.heights.see(index, height);
      changed ||= more !== 0;
      if (top < box.scrollTop) above += more;
    }
    if (!changed) return;
    this.#redraw();
    // After the page has the new height: a box does not scroll further than it reaches.
    queueMicrotask(() => {
      if (this.held !== undefined) this.#scrollTo(this.heights.top(this.held));
      else if (above !== 0) this.#scrollTo(box.scrollTop + above);
    });
  }
}

export function VirtualList({ label, count, rowPx, render, at, of = '', class: className = '' }: Props) {
  const box = useRef<HTMLDivElement>(null);
  const [, redraw] = useReducer<number, void>((n) => n + 1, 0);
  const [view] = useState(() => new Window(rowPx, redraw));
  view.heights.resize(count);
  useLayoutEffect(() => (box.current === null ? undefined : view.watch(box.current)), [view]);
  useLayoutEffect(() => {
    view.heights.forget();
    redraw();
  }, [of]);
  useEffect(() => view.hold(at !== undefined && at < count ? at : undefined), [at, count > (at ?? 0), of]);
  const { from, to } = view.range();
  return (
    <div
      ref={box}
      class={`virtual ${className}`}
      // No higher than what it holds, and its borders.
      style={{ height: `${view.heights.total + 2}px` }}
      role="group"
      aria-label={label}
      tabIndex={0}
    >
      <div role="list" class="virtual-all" style={{ height: `${view.heights.total}px` }}>
        {Array.from({ length: Math.max(0, to - from) }, (_, n) => from + n).map((index) => (
          <Row key={`${of} ${index}`} index={index} view={view} count={count}>
            {render(index)}
          </Row>
        ))}
      </div>
    </div>
  );
}

interface RowProps {
  readonly index: number;
  readonly view: Window;
  readonly count: number;
  readonly children: ComponentChildren;
}

function Row({ index, view, count, children }: RowProps) {
  const element = useRef<HTMLDivElement>(null);
  useLayoutEffect(
    () => (element.current === null ? undefined : view.row(index, element.current)),
    [index, view],
  );
  return (
    <div
      ref={element}
      role="listitem"
      aria-setsize={count}
      aria-posinset={index + 1}
      class="virtual-row"
      style={{ transform: `translateY(${view.heights.top(index)}px)` }}
    >
      {children}
    </div>
  );
}

/** A long list in a box of its own, of which only what is in view is in the page. Rows may be of any height, and change it. */
import {
  elementScroll,
  observeElementOffset,
  observeElementRect,
  Virtualizer,
  type VirtualizerOptions,
} from '@tanstack/virtual-core';
import type { ComponentChildren } from 'preact';
import { useEffect, useLayoutEffect, useReducer, useRef, useState } from 'preact/hooks';

interface Props {
  readonly label: string;
  readonly count: number;
  /** How high a row is before it was seen. */
  readonly rowPx: number;
  readonly render: (index: number) => ComponentChildren;
  /** Shown first, and again when it is another. */
  readonly at?: number | undefined;
  readonly class?: string;
}

export function VirtualList({ label, count, rowPx, render, at, class: className = '' }: Props) {
  const box = useRef<HTMLDivElement>(null);
  const [, draw] = useReducer((n: number) => n + 1, 0);
  const options: VirtualizerOptions<HTMLDivElement, HTMLDivElement> = {
    count,
    getScrollElement: () => box.current,
    estimateSize: () => rowPx,
    scrollToFn: elementScroll,
    observeElementRect,
    observeElementOffset,
    overscan: 8,
    onChange: () => draw(undefined as never),
  };
  const [virtual] = useState(() => new Virtualizer(options));
  virtual.setOptions(options);
  useLayoutEffect(() => virtual._didMount(), []);
  useLayoutEffect(() => virtual._willUpdate());
  useEffect(() => {
    if (at !== undefined && at < count) virtual.scrollToIndex(at, { align: 'start' });
  }, [at, count > (at ?? 0)]);
  return (
    <div ref={box} class={`virtual ${className}`} role="group" aria-label={label} tabIndex={0}>
      <div role="list" class="virtual-all" style={{ height: `${virtual.getTotalSize()}px` }}>
        {virtual.getVirtualItems().map(({ index, key, start }) => (
          <div
            key={key}
            ref={virtual.measureElement}
            data-index={index}
            role="listitem"
            aria-setsize={count}
            aria-posinset={index + 1}
            class="virtual-row"
            style={{ transform: `translateY(${start}px)` }}
          >
            {render(index)}
          </div>
        ))}
      </div>
    </div>
  );
}

/** Tells parts of a long page when they come near to what is seen, and when they are far again. */
const hears = new WeakMap<Element, (near: boolean) => void>();
let observer: IntersectionObserver | undefined;

export function watchNear(element: Element, hear: (near: boolean) => void): () => void {
  observer ??= new IntersectionObserver(
    (entries) => {
      for (const { target, isIntersecting } of entries) hears.get(target)?.(isIntersecting);
    },
    { rootMargin: '1200px 0px' },
  );
  hears.set(element, hear);
  observer.observe(element);
  return () => {
    hears.delete(element);
    observer?.unobserve(element);
  };
}

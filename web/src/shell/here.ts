/** Where the reader is now, and going elsewhere without loading the page again. */
import { signal } from '@preact/signals';
import { addressOf, placeOf, type Place } from './place.ts';

const address = (): string => `${location.pathname}${location.search}`;

export const here = signal<Place>(placeOf(address()));

export function go(place: Place, options: { readonly replace?: boolean } = {}): void {
  const to = addressOf(place);
  if (to === address()) return;
  if (options.replace === true) history.replaceState(null, '', to);
  else history.pushState(null, '', to);
  here.value = place;
  if (options.replace !== true) scrollTo(0, 0);
}

/** Links stay links: they can be opened beside, copied and read by every program; a plain click only changes the place. */
export function followLinks(): void {
  addEventListener('popstate', () => (here.value = placeOf(address())));
  document.addEventListener('click', (event) => {
    if (event.defaultPrevented || event.button !== 0) return;
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    const link = event.target instanceof Element ? event.target.closest('a') : null;
    if (
      link === null ||
      link.origin !== location.origin ||
      link.target !== '' ||
      link.hasAttribute('download')
    )
      return;
    const place = placeOf(`${link.pathname}${link.search}`);
    if (place.page === 'unknown' || link.hash !== '') return;
    event.preventDefault();
    go(place);
  });
}

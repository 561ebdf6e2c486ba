import type { Place } from '../shell/place.ts';

export function Task({ place }: { readonly place: Extract<Place, { page: 'task' }> }) {
  return <h1>{place.task}</h1>;
}

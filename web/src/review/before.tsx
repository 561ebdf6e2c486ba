import { useEffect } from 'preact/hooks';
import { addressOf, type Place } from '../shell/place.ts';
import { decided } from './sending.ts';

/** What became of the one before. */
export function Before({ place }: { readonly place: Place }) {
  const own = addressOf(place);
  const said = decided.value;
  useEffect(() => {
    if (decided.peek()?.at !== own) decided.value = undefined;
  }, [own]);
  return (
    <p class="came" role="status">
      {said?.at === own ? said.words : ''}
    </p>
  );
}

import { isDisbelieved, isExpired } from '../../../src/core/task/lapse.ts';
import { now, span } from './clock.ts';

/** How much of a lease is left. It is renewed while the holder works, so it only runs out when something is wrong. */
interface Props {
  readonly until: number;
  readonly since: number;
  /** Of its task: a clock that is behind that may itself be the wrong one. */
  readonly updatedAt: number;
}

export function Lease({ until, since, updatedAt }: Props) {
  const left = until - now.value;
  if (isExpired(until, now.value)) return <span class="lease over">lease over for {span(-left)}</span>;
  if (isDisbelieved({ until, updatedAt }, now.value))
    return <span class="lease over">lease too far ahead to be believed</span>;
  const whole = Math.max(until - since, left, 1);
  return (
    <span class={`lease ${left < 15_000 ? 'short' : ''}`}>
      <meter min={0} max={whole} value={left} low={Math.min(15_000, whole / 4)} aria-label="Lease left" />
      {span(left)}
    </span>
  );
}

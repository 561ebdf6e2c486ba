/** Paths of the workspace that are not in a packet, with the reason. */
import type { PacketPage } from '../../../src/server/contract/contract.ts';
import { Shown } from '../diff/text.tsx';
import { counted, worded } from './said.ts';

export function LeftOut({ facts }: { readonly facts: PacketPage['packet']['facts'] }) {
  const { losses = [], lossesLeft = 0 } = facts?.workspace ?? {};
  if (losses.length === 0) return null;
  return (
    <details>
      <summary>{counted(losses.length + lossesLeft, 'path')} not captured</summary>
      <ul class="paths">
        {losses.map(({ path, reason }) => (
          <li key={`${path} ${reason}`}>
            <code>
              <Shown text={path} />
            </code>{' '}
            <span class="quiet">{worded(reason)}</span>
          </li>
        ))}
        {lossesLeft === 0 ? null : <li class="quiet">and {lossesLeft} more</li>}
      </ul>
    </details>
  );
}

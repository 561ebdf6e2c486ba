/** What earlier legs learned, the newest first: it comes after the latest packet and what was written down since. */
import { lastSpoken, type Learned } from '../packet/learned.ts';
import type { Packet } from '../packet/packet.ts';
import { claimItems } from './from-packet.ts';
import { remarkItems } from './from-remarks.ts';
import { asData, type BriefingItem } from './item.ts';
import type { SectionName } from './section.ts';

const lasting: ReadonlySet<SectionName> = new Set(['decisions', 'deadEnds']);

export function learnedItems(learned: Learned, latest: Packet | null): BriefingItem[] {
  const spoken = lastSpoken(latest, learned);
  const claimed = learned.packets.toReversed().flatMap((packet) => {
    const whole = packet === spoken;
    return claimItems(packet)
      .filter(({ section }) => whole || lasting.has(section))
      .map((item) => (lasting.has(item.section) ? item : datedItem(item, packet)));
  });
  return [...remarkItems(learned.remarks), ...claimed];
}

/** Where the work stood then. */
function datedItem(
  item: BriefingItem,
  { by, generation }: { readonly by: string; readonly generation: number },
): BriefingItem {
  const label = item.label === undefined ? '' : `${item.label}, `;
  return { ...item, label: `${label}said by ${asData(by)} in generation ${generation}` };
}

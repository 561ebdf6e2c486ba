import type { Packet } from '../../packet/packet.ts';
import type { GateRule } from '../rule.ts';

export const untrackedLost: GateRule = {
  id: 'untracked-lost',
  title: 'Nothing that was changed is left behind',
  about: 'facts',
  check: ({ losses, packet }) =>
    losses
      .filter((loss) => !packet.artefacts.some((artefact) => excuses(artefact, loss.path)))
      .map((loss) => ({
        path: `losses.${loss.path}`,
        text: `${loss.path} could not be captured: ${loss.reason}.`,
        fix: 'Name it as an artefact and say why it need not travel. Or commit it, have git ignore it, or make it smaller.',
      })),
};

/** It names the path and says why, in at least one word: the dots that a mend prints are none. A path may hold a colon and a space, which part it from its reason when it is typed. */
function excuses({ path, why }: Packet['artefacts'][number], lost: string): boolean {
  if (why === undefined || !/[\p{L}\p{N}]/u.test(why)) return false;
  const typed = `${path}: ${why}`;
  return [lost, `${lost}/`].some((name) => typed.startsWith(`${name}: `) && typed.length > name.length + 2);
}

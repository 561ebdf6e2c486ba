import type { Rule } from './rule.ts';

export const untrackedLost: Rule = {
  id: 'untracked-lost',
  title: 'Nothing that was changed is left behind',
  about: 'facts',
  weight: { strict: 'error', softer: { research: 'warning', review: 'warning' } },
  check: ({ losses, packet }) =>
    losses
      .filter(
        (loss) =>
          !packet.artefacts.some((artefact) => artefact.path === loss.path && artefact.why !== undefined),
      )
      .map((loss) => ({
        path: `losses.${loss.path}`,
        text: `${loss.path} could not be captured: ${loss.reason}.`,
        fix: 'Commit it, ignore it, make it smaller, or name it as an artefact and say why it need not travel.',
      })),
};

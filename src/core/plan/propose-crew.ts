import type { Crew, CrewAgent } from './crew.ts';

/** A crew of what is installed, for a user who has written none: each program works and audits, and the first one plans. Nobody audits in the author's program where there is another. */
export function proposeCrew(installed: readonly string[]): Crew | undefined {
  const [first] = installed;
  if (first === undefined) return undefined;
  const apart: Pick<CrewAgent, 'not'> = installed.length > 1 ? { not: 'author-runtime' } : {};
  const agents = installed.flatMap((name): [string, CrewAgent][] => [
    [name, { lane: 'execute', runtime: [name] }],
    [`${name}-audit`, { lane: 'audit', runtime: [name], ...apart }],
  ]);
  return { agents: Object.fromEntries([...agents, [`${first}-plan`, { lane: 'plan', runtime: [first] }]]) };
}

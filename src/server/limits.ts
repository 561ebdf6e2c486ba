/** Every bound of the server in one place. */
export const serverLimits = {
  /** One request's body: room for a verdict with its findings, and far from a burden. */
  bodyBytesMax: 512 * 1024,
  bodyMs: 10_000,
  /** Requests of one actor, whatever tokens it has, or of one address without a token: so many at once, and so many a second after that. */
  burst: 400,
  perSecond: 200,
  /** The same for requests that bring a wrong token. */
  wrongBurst: 20,
  wrongPerSecond: 0.5,
  /** Of them, so many of one actor, whatever tokens it has; and so many of all agents together, so that there is room for people. */
  liveClientsMax: 512,
  liveClientsPerActor: 256,
  liveClientsPerAgent: 64,
  liveClientsOfAgents: 256,
  heartbeatMs: 15_000,
  /** A client that takes nothing for so long, while something waits for it, is dropped. */
  stalledMs: 30_000,
  /** A look at an index, often enough that what happens is seen as it happens. */
  pollMs: 100,
  /** How old the proof of a token may be while events flow. */
  recheckMs: 1000,
  sessionMs: 12 * 60 * 60 * 1000,
} as const;

export type ServerLimits = { readonly [K in keyof typeof serverLimits]: number };

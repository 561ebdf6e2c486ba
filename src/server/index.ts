/** The server as a library: `staffetta/server`. */
export { createApp, type App, type AppOptions } from './app.ts';
export type * from './contract/contract.ts';
export type * from './contract/contract-looks.ts';
export { refuseGrant, type Grant, type NewGrant } from './access/grant.ts';
export { serverLimits, type ServerLimits } from './limits.ts';
export { listen, type Listening, type ListenOptions } from './listen.ts';
export { readPages, type PageFile, type PageFiles } from './pages.ts';
export { FileKeeper } from './access/token-files.ts';
export { MemoryKeeper, Tokens, type MadeToken } from './access/tokens.ts';
export type { GrantKeeper } from '../ports/grants.ts';
export { verbs, type Verb } from './contract/verbs.ts';

import type { Context } from '../handoff/context.ts';
import { FileKeeper, tokenFolder } from '../server/token-files.ts';
import { MemoryKeeper, Tokens } from '../server/tokens.ts';
import type { Session } from './session.ts';

/** The tokens of the session's store. */
export function tokensOf({ storePath }: Session, context: Context): Tokens {
  const keeper = storePath === 'memory:' ? new MemoryKeeper() : new FileKeeper(tokenFolder(storePath));
  return new Tokens(keeper, context);
}

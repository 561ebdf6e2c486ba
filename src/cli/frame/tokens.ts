import type { Context } from '../../handoff/record/context.ts';
import { FileKeeper, tokenFolder } from '../../server/access/token-files.ts';
import { MemoryKeeper, Tokens } from '../../server/access/tokens.ts';
import type { Session } from '../call/session.ts';

/** The tokens of the session's store. */
export function tokensOf({ storePath }: Session, context: Context): Tokens {
  const keeper = storePath === 'memory:' ? new MemoryKeeper() : new FileKeeper(tokenFolder(storePath));
  return new Tokens(keeper, context);
}

import type { Context } from '../../handoff/record/context.ts';
import { FileKeeper } from '../../server/access/token-files.ts';
import { MemoryKeeper, Tokens } from '../../server/access/tokens.ts';
import type { Session } from '../call/session.ts';

/** The tokens of the session's store: kept in it where it can, for all its servers; else on this machine. */
export function tokensOf({ home }: Session, context: Context): Tokens {
  const keeper =
    context.store.grants ?? (home === undefined ? new MemoryKeeper() : new FileKeeper(home.tokens));
  return new Tokens(keeper, context);
}

import type { Context } from '../../handoff/record/context.ts';
import { FileKeeper } from '../../server/access/token-files.ts';
import { MemoryKeeper, Tokens } from '../../server/access/tokens.ts';
import type { Session } from '../call/session.ts';

/** The tokens of the session's store. */
export function tokensOf({ home }: Session, context: Context): Tokens {
  const keeper = home === undefined ? new MemoryKeeper() : new FileKeeper(home.tokens);
  return new Tokens(keeper, context);
}

import { homeOf, type Home } from '../../src/home/home.ts';
import { storeAddress } from '../../src/home/locate.ts';

/** The home of a store that is not in memory. */
export function homeAt(store: string, env: NodeJS.ProcessEnv = process.env): Home {
  const home = homeOf(storeAddress(store), env);
  if (home === undefined) throw new Error(`${store} has no home`);
  return home;
}

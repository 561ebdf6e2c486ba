/**
 * What tokens of servers stand for, for all servers of a store. Nothing here ever sees a token: a text is kept by the hash of one.
 * GK1 `get` returns the text that was put last under exactly that hash, on every connection, or undefined.
 * GK2 `remove` takes it away for everybody before it returns, and says whether it was there.
 * GK3 `hashes` lists all of them, in ascending order.
 */
export interface GrantKeeper {
  put(hash: string, text: string): Promise<void>;
  get(hash: string): Promise<string | undefined>;
  remove(hash: string): Promise<boolean>;
  hashes(): Promise<readonly string[]>;
}

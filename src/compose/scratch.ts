import type { OpenScratch } from '../ports/scratch.ts';
import type { StoreAddress } from '../ports/store-address.ts';
import { homeOf } from '../home/home.ts';
import { kindOf } from './open-store.ts';

/** Scratch stores of the same kind as the store at the address; a database lies in the folder, by default beside the given one, on the same file system. */
export function scratchFor(address: StoreAddress, folder = homeOf(address)?.folder ?? ''): OpenScratch {
  return kindOf(address).scratch(address, folder);
}

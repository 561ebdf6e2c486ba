/** The kinds of files that init changes, by their names. */
import { loadSetups } from '../../src/runtimes/load.ts';
import * as files from '../../src/setup/files.ts';
import type { FileForm, EntryOwner, Wish } from '../../src/setup/forms/agent-setup.ts';

export const setups = await loadSetups();
export const fileKinds = [
  ...Object.values(setups).flatMap(({ kinds }) => Object.keys(kinds)),
  files.agentsKind,
];

export function formOf(kind: string): FileForm {
  const form = files.formOf(kind, setups);
  if (form === undefined) throw new Error(`There is no ${kind}.`);
  return form;
}

export function withOurs(kind: string, text: string | null, wish: Wish): string {
  return files.withOurs(formOf(kind), text, wish);
}

export function withoutOurs(kind: string, text: string, owner: EntryOwner): string | null {
  return files.withoutOurs(formOf(kind), text, owner);
}

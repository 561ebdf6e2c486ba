/** A program's file of settings: JSON, in which some programs allow comments and a comma before the end. Read, and never written. */
import { readFileSync, statSync } from 'node:fs';
import { fieldsOf } from '../core/transcript/loose-json.ts';

export type Settings = Readonly<Record<string, unknown>>;

const bytesMax = 8 * 1024 * 1024;

export interface SettingsFound {
  readonly files: readonly { readonly path: string; readonly settings: Settings }[];
  /** Those that are there and cannot be understood. */
  readonly unread: readonly string[];
}

/** Those that are there, in their order. */
export function readSettings(paths: readonly string[]): SettingsFound {
  const files: { path: string; settings: Settings }[] = [];
  const unread: string[] = [];
  for (const path of paths) {
    const text = settingsText(path);
    if (text === null) continue;
    const settings = text === undefined ? null : settingsIn(text);
    if (settings === null) unread.push(path);
    else files.push({ path, settings });
  }
  return { files, unread };
}

/** Null where it is not there, undefined where it cannot be read. */
export function settingsText(path: string): string | null | undefined {
  try {
    const stat = statSync(path, { throwIfNoEntry: false });
    if (stat === undefined) return null;
    return stat.isFile() && stat.size <= bytesMax ? readFileSync(path, 'utf8') : undefined;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'ENOTDIR' ? null : undefined;
  }
}

function settingsIn(text: string): Settings | null {
  if (text.trim() === '') return {};
  try {
    return fieldsOf(JSON.parse(plainJson(text)));
  } catch {
    return null;
  }
}

/** Comments and commas before a closing bracket are blanked out; texts are left as they are. */
export function plainJson(text: string): string {
  // What is never closed goes to the end, and is not looked for again from each place in it.
  const tokens = /"(?:[^"\\]|\\[^])*(?:"|$)|\/\/[^\n]*|\/\*(?:[^*]|\*(?!\/))*(?:\*\/|$)/g;
  const bare = text.replaceAll(tokens, (token) => (token.startsWith('"') ? token : ' '));
  return bare.replaceAll(/"(?:[^"\\]|\\[^])*(?:"|$)|,(?=\s*[}\]])/g, (token) =>
    token === ',' ? ' ' : token,
  );
}

/** Along names, each an own field; undefined as soon as one is missing. */
export function dig(settings: Settings | null, ...names: readonly string[]): unknown {
  let value: unknown = settings;
  for (const name of names) {
    const fields = fieldsOf(value);
    value = fields !== null && Object.hasOwn(fields, name) ? fields[name] : undefined;
  }
  return value;
}

export function namesIn(settings: Settings | null, ...names: readonly string[]): string[] {
  return Object.keys(fieldsOf(dig(settings, ...names)) ?? {});
}

export function settingsTexts(settings: Settings | null, ...names: readonly string[]): string[] {
  const value = dig(settings, ...names);
  return Array.isArray(value) ? value.filter((each) => typeof each === 'string') : [];
}

/**
 * Which folder of the program's data belongs to which folder of the user. Each project has a short name; `projects.json` maps
 * paths to names, and the `.project_root` in the project's folder says who owns it. The marker wins: the program itself drops an
 * entry of `projects.json` that the marker contradicts. Older versions named the folder by the SHA-256 of the path.
 */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { sha256Hex } from '../../core/journal/sha256.ts';
import { isInFolders, folderNames } from '../of-folder.ts';
import { readSmall } from './quiet-file.ts';
import { fieldsOf, own } from '../../core/transcript/loose-json.ts';

export interface Project {
  /** The folder with its sessions. */
  readonly chats: string;
  /** The user's folder; null where nothing names it. */
  readonly folder: string | null;
}

export function projectsOf(home: string, folder?: string): Project[] {
  const registered = registry(home);
  const wanted = folder === undefined ? null : folderNames(folder);
  const hashes = new Map([...(wanted ?? []), ...registered.values()].map((path) => [sha256Hex(path), path]));
  return names(join(home, 'tmp')).flatMap((name) => {
    const base = join(home, 'tmp', name);
    const marker = readSmall(join(base, '.project_root'), 64 * 1024)?.trim();
    const owner = present(marker) ?? registered.get(name) ?? hashes.get(name) ?? null;
    if (wanted !== null && (owner === null || !isInFolders(wanted, owner))) return [];
    return [{ chats: join(base, 'chats'), folder: owner }];
  });
}

/** Name to path; the file maps path to name. */
function registry(home: string): Map<string, string> {
  const text = readSmall(join(home, 'projects.json'), 16 * 1024 * 1024);
  const projects = fieldsOf(own(fieldsOf(parsed(text)) ?? {}, 'projects')) ?? {};
  return new Map(
    Object.entries(projects).flatMap(([path, name]) => (typeof name === 'string' ? [[name, path]] : [])),
  );
}

function parsed(text: string | null): unknown {
  try {
    return text === null ? null : (JSON.parse(text) as unknown);
  } catch {
    return null;
  }
}

export function names(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function present(text: string | undefined): string | null {
  return text === undefined || text === '' ? null : text;
}

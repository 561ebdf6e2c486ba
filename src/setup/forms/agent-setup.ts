/** How one coding agent is told of us, and how it is found out whether it was: what the `setup.ts` of its folder fills in. */
import type { RuntimeName } from '../../ports/runtime.ts';
import type { OwnPaths } from './entries.ts';
import type { FoundHooks } from './found-hooks.ts';
import type { FoundServer } from './found-server.ts';
import type { IsKept } from './kept-tools.ts';
import type { ReadSettings, SettingsTable, SettingsFile } from './settings-files.ts';
import type { SwitchedOff } from './switched-off.ts';

export const scopes = ['user', 'project'] as const;
export type Scope = (typeof scopes)[number];

/** Where the agents are, and the repository. */
export interface Homes {
  readonly setups: Setups;
  /** The folder of each program's data, as far as it is installed. */
  readonly homes: Partial<Readonly<Record<RuntimeName, string>>>;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly homeFolder: string;
  /** The workspace. */
  readonly root: string;
  /** Whether a file of settings is there under its other name. */
  readonly exists: (path: string) => boolean;
}

export type Setups = Readonly<Record<RuntimeName, AgentSetup>>;

export interface Wish {
  readonly paths: OwnPaths;
  /** The file that this one leans on, as it will be. */
  readonly trusted: { readonly path: string; readonly text: string } | null;
}

export interface EntryOwner {
  /** The file that this one leans on, and whose part goes; null for every part. */
  readonly hooks: string | null;
  /** Where that file lies now, if it has moved. */
  readonly now?: string | undefined;
  /** A file that is gone since was ours. */
  readonly isLongAgo?: true;
  /** The text before us, where it is known: what was there and empty stays so. */
  readonly was: string | null;
}

/** How our part comes into a kind of file, and how it goes out again. Pure but for what it leans on. */
export interface FileForm {
  readonly with: (text: string, wish: Wish) => string;
  /** Null for a file that is all ours. */
  readonly without: (text: string, owner: EntryOwner) => string | null;
  readonly hooksIn?: (path: string, text: string) => FoundHooks | undefined;
  /** The kind of file, of the same agent and scope, that this one speaks of. */
  readonly leansOn?: string;
}

/** A file that init changes for an agent. */
export interface PlannedFile {
  /** As records name it. */
  readonly kind: string;
  readonly path: string;
  /** Null for what is for all of them. */
  readonly runtime: RuntimeName | null;
  /** The repository that it is for; null where it is for the user. */
  readonly root: string | null;
  /** The file that it leans on. */
  readonly hooks?: string;
  readonly form: FileForm;
}

export interface FoundIn extends FoundHooks {
  readonly file: PlannedFile;
}

export interface Wrong {
  readonly text: string;
  readonly fix?: string;
}

export interface PluginOn {
  readonly path: string;
  /** The command that takes it away. */
  readonly remove: string;
}

export interface AgentSetup {
  /** By the names under which records keep them. */
  readonly kinds: Readonly<Record<string, FileForm>>;
  /** What init changes, and where. */
  readonly files: (
    scope: Scope,
    home: string,
    homes: Homes,
  ) => readonly (readonly [kind: string, path: string])[];
  /** What the program reads its settings from; the later outweigh the earlier. */
  readonly settings: (home: string, homes: Homes) => readonly SettingsFile[];
  /** Whether it reads a file that is there. */
  readonly isRead?: (file: ReadSettings, files: readonly ReadSettings[], root: string) => boolean;
  /** What keeps it from running our hooks. */
  readonly switchedOff?: (files: readonly ReadSettings[]) => SwitchedOff | undefined;
  /** Settings that keep tools of our server from being called, by their names. */
  readonly keepers: (settings: SettingsTable) => Readonly<Record<string, IsKept>>;
  /** The server that it would start under our name; undefined where it is told of none. */
  readonly server: (files: readonly ReadSettings[], root: string) => FoundServer | undefined;
  /** Our plugin, where it is on: it brings the same hooks and the same server as init. */
  readonly plugin?: (files: readonly ReadSettings[], homes: Homes) => PluginOn | undefined;
  /** What else keeps hooks from being run that are there. */
  readonly distrusted?: (found: readonly FoundIn[], files: readonly ReadSettings[]) => Wrong | undefined;
  /** What else there is to find out about it. */
  readonly finding?: (file: PlannedFile) =>
    | {
        readonly check: `${RuntimeName}-plugin`;
        readonly status: 'ok' | 'untried';
        readonly text: string;
        readonly fix?: string;
      }
    | undefined;
  /** What its user should know once files of these kinds were written. */
  readonly notices?: readonly {
    readonly kinds: readonly string[];
    readonly scope?: Scope;
    readonly text: string;
  }[];
}

/** A real program in the lab: which package it is, how it is set up in a home of its own, and how it is asked without a terminal. */
import type { RuntimeName } from '../../../src/ports/runtime.ts';

export interface Agent {
  readonly runtime: RuntimeName;
  /** As its maker calls it. */
  readonly title: string;
  readonly package: string;
  /** The command that its package brings. */
  readonly command: string;
  /** It cannot be started before its package's own install script has run. */
  readonly scripted: boolean;
  /** On disk, once installed. */
  readonly megabytes: number;
  /** Files of the home, by their paths in it. */
  files(setting: Setting): Readonly<Record<string, string>>;
  env(setting: Setting): Readonly<Record<string, string>>;
  /** A new session that may use its tools unasked; the prompt goes to standard input. */
  readonly ask: readonly string[];
  /** It reads a prompt from a pipe or a file alone, and what Node gives a program is a socket. */
  readonly piped?: true;
}

export interface Setting {
  readonly home: string;
  /** Where its model is: scheme, host and port. */
  readonly model: string;
}

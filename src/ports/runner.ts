import type { PermissionName, Permissions } from '../core/plan/crew.ts';
import type { NotedRun } from './orphans.ts';
import type { SessionPlace } from './runtime.ts';

export type { SessionPlace };

/**
 * A way in which an agent is put to work for one leg: a program that speaks ACP, a program without a screen, a command that speaks JSON
 * lines, a function. A leg is one or more turns: something is asked, the agent works, and says that its turn is over.
 * RU1 `open` starts nothing that is not in the group and has the mark; what it starts is noted before. What cannot be started rejects, and leaves nothing.
 * RU2 `turn` resolves for every way in which a turn can end, once, and never rejects: over, ended, refused, stopped. It says nothing of the work: an end is no success.
 * RU3 `stop` ends the turn under way in bounded time, also where the agent does not listen. Before it does, every open question is answered with a no. Commands that the agent had started may go on until `close`.
 * RU4 After `close` nobody with the mark lives, or those that could not be ended are named. It may be called at any time, and again.
 * RU5 Every sign of life is told as it is seen, and all that it says is heard whole: a flood, in bounded memory; a line that is garbage, too long or of another session is counted, and ends nothing.
 * RU6 A request for permission is put to `ask`, with what it is for; a yes is for this once. It stays open until it is answered, the turn is stopped or the program ends.
 * RU7 `enforces` names the permissions that the program asks for, or is held to, before it acts; of any other it promises nothing.
 * RU8 A leg that is to look only is opened in the program's read-only way of working; where there is none, `open` refuses.
 * RU9 The words of a prompt are neither among the arguments nor in the environment.
 * RU10 The native session is named as soon as it is known, and is the one that the turns are in. Asked to go on with one, the runner does, or refuses.
 * RU11 A turn after the first goes on in the same session, or in a copy that holds all of it, and that is then the one that is named.
 */
export interface Runner {
  readonly kind: RunnerKind;
  /** Permissions that hold, in the way of working that the order asks for. */
  enforces(order: Pick<LegOrder, 'access' | 'mode'>): ReadonlySet<PermissionName>;
  open(order: LegOrder): Promise<OpenLeg>;
}

export type RunnerKind = 'acp' | 'headless' | 'lines' | 'function';

export interface LegOrder {
  /** Where the agent works. */
  readonly folder: string;
  /** The whole environment, in which its commands are fenced. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly access: 'look' | 'change';
  /** What the program calls its way of working. */
  readonly mode?: string | undefined;
  readonly model?: string | undefined;
  readonly permissions: Permissions;
  /** The session to go on in; a new one where it is not given. */
  readonly session?: SessionPlace | undefined;
  /** Told of the mark before anything starts. */
  readonly note?: ((mark: string) => NotedRun) | undefined;
  readonly ask: (question: PermissionQuestion) => Promise<'allow' | 'deny'>;
  readonly seen: (sign: LegSign) => void;
  /** What it says, whole and as it comes. */
  readonly heard?: ((text: string) => void) | undefined;
}

export interface OpenLeg {
  /** Null until it is known, and for agents that keep none. */
  readonly session: SessionPlace | null;
  turn(prompt: string): Promise<TurnEnd>;
  stop(): Promise<void>;
  close(): Promise<{ readonly left: readonly number[] }>;
}

export interface PermissionQuestion {
  /** What kind of act it is for; `null` where the program does not say. */
  readonly permission: PermissionName | null;
  /** One line of what it wants to do, as the program says it. */
  readonly what: string;
}

export type LegSign =
  /** Something it said, or does: one line, shortened. */
  | { readonly kind: 'said' | 'thought' | 'tool'; readonly text: string }
  /** What it says that it used, since the leg was opened. */
  | { readonly kind: 'usage'; readonly usage: LegUsage }
  /** It lives. */
  | { readonly kind: 'life' }
  /** Something that could not be understood, and was passed over. */
  | { readonly kind: 'noise'; readonly why: 'garbage' | 'too-long' | 'other-session' };

export interface LegUsage {
  readonly tokens?: number;
  /** How full its context is, from 0 to 1. */
  readonly context?: number;
  readonly cost?: { readonly amount: number; readonly unit: string };
}

export interface TurnEnd {
  /**
   * `over`: the agent says that its turn is over. `ended`: its program is gone. `refused`: it did not begin the turn, or says that it
   * could not go on. `stopped`: by us.
   */
  readonly how: 'over' | 'ended' | 'refused' | 'stopped';
  readonly exit?: number | null;
  readonly signal?: string | null;
  /** The end of what it said last, for people. */
  readonly said: string;
  /** A limit of which it told in a field of its protocol. `until` is when it is over, where it says so. */
  readonly limit?: { readonly kind: 'usage' | 'context'; readonly until: number | null };
}

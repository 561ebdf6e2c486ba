/**
 * Our hooks in a JSON file of settings. Programs keep a list of groups for each event, and a group has handlers:
 *
 *   { "hooks": { "Stop": [ { "matcher": "…", "hooks": [ { "type": "command", "command": "…" } ] } ] } }
 *
 * Ours is one handler, and nothing but that: the group it stands in may have got a matcher, or handlers of others.
 */
import type { RuntimeName } from '../../ports/runtime.ts';
import { hookElement, hookCommand, hookEvents, type OwnPaths } from '../forms/entries.ts';
import { addElement, nodeAt, placeIn, removeAt, setMember } from './json-edit.ts';
import { parseTree, valueOf } from './json-tree.ts';

type Fields = Readonly<Record<string, unknown>>;

export interface OwnHandler {
  readonly event: string;
  /** Place of the group in the event's list, and of the handler in the group. */
  readonly group: number;
  readonly place: number;
  readonly matcher: unknown;
  readonly handler: Fields;
}

/** In the order of the file. */
export function ownHandlers(text: string): OwnHandler[] {
  if (text.trim() === '') return [];
  const events = nodeAt(parseTree(text), ['hooks']);
  if (events?.kind !== 'object') return [];
  return Object.entries(valueOf(events) as Fields).flatMap(([event, groups]) =>
    listOf(groups).flatMap((group, at) =>
      listOf(group['hooks']).flatMap((handler, place) =>
        isOwnHandler(handler) ? [{ event, group: at, place, matcher: group['matcher'], handler }] : [],
      ),
    ),
  );
}

function listOf(value: unknown): Fields[] {
  return Array.isArray(value)
    ? value.map((one: unknown) => (typeof one === 'object' && one !== null ? (one as Fields) : {}))
    : [];
}

/** Of this installation or another one of ours. */
function isOwnHandler({ command }: Fields): boolean {
  return typeof command === 'string' && /hook[\\/]main\.cjs'?"? [a-z][a-z-]* /.test(command);
}

/** The command of a handler that is there is set anew; everything else about it stays as the user changed it. */
export function withHooks(text: string, paths: OwnPaths, runtime: RuntimeName): string {
  return hookEvents(runtime).reduce((now, event) => {
    const found = ownHandlers(now).find((one) => one.event === event);
    if (found === undefined) return addElement(now, ['hooks', event], hookElement(paths, runtime, event));
    const place = ['hooks', event, found.group, 'hooks', found.place, 'command'];
    return setMember(now, place, hookCommand(paths, runtime, event));
  }, text);
}

/** A group goes with its last handler, unless it says more than which tools it is for. `was` is the text before us, where it is known. */
export function withoutHooks(text: string, was: string | null): string {
  for (let now = text; ;) {
    const found = ownHandlers(now).at(-1);
    if (found === undefined) return now;
    const group = ['hooks', found.event, found.group];
    const node = nodeAt(parseTree(now), group);
    const { hooks, ...rest } = (node === undefined ? {} : valueOf(node)) as Fields;
    const isLast = listOf(hooks).length === 1;
    const isBare = Object.keys(rest).every((key) => key === 'matcher');
    const handlers = [...group, 'hooks'];
    now =
      isLast && isBare
        ? removeAt(now, group, placeIn(was, ['hooks', found.event]))
        : removeAt(now, [...handlers, found.place], handlers);
  }
}

/** What a file says besides our handlers. What holds nothing says nothing. */
export function othersInHooks(hooks: unknown): unknown {
  if (typeof hooks !== 'object' || hooks === null || Array.isArray(hooks)) return hooks ?? {};
  const events = Object.entries(hooks).map(([event, groups]) => [event, othersInGroups(groups)] as const);
  return Object.fromEntries(events.filter(([, groups]) => !Array.isArray(groups) || groups.length > 0));
}

function othersInGroups(groups: unknown): unknown {
  if (!Array.isArray(groups)) return groups;
  return groups.flatMap((group: unknown) => {
    const { hooks, ...rest } = (typeof group === 'object' && group !== null ? group : {}) as Fields;
    if (!Array.isArray(hooks) || !listOf(hooks).some(isOwnHandler)) return [group];
    const left = hooks.filter((_, place) => !isOwnHandler(listOf(hooks)[place] ?? {}));
    const isBare = Object.keys(rest).every((key) => key === 'matcher');
    return left.length === 0 && isBare ? [] : [{ ...rest, hooks: left }];
  });
}

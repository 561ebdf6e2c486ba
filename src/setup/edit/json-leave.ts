/**
 * Leave that Claude Code is given to start our server and call its tools unasked: names in lists of its settings. Agreeing to the diff is what
 * gives it. A name that somebody put into a list of refusals is not given leave.
 */
import { addElement, nodeAt, placeIn, removeAt } from './json-edit.ts';
import { parseTree, valueOf } from './json-tree.ts';

export interface Leave {
  readonly list: readonly string[];
  readonly name: string;
  readonly refusals: readonly (readonly string[])[];
}

const calls: Leave = {
  list: ['permissions', 'allow'],
  name: 'mcp__staffetta',
  refusals: [
    ['permissions', 'deny'],
    ['permissions', 'ask'],
  ],
};
/** Claude Code asks about a server that lies in a repository's .mcp.json. */
const start: Leave = {
  list: ['enabledMcpjsonServers'],
  name: 'staffetta',
  refusals: [['disabledMcpjsonServers']],
};

export const leaves = { 'claude-hooks': [calls], 'claude-local': [calls, start] } as const;

export function withLeave(text: string, wanted: readonly Leave[]): string {
  return wanted.reduce((now, { list, name, refusals }) => {
    const isSaid = [list, ...refusals].some((path) => placeOf(now, path, name) !== -1);
    return isSaid ? now : addElement(now, list, name);
  }, text);
}

/** `was` is the text before us, where it is known: leave that was there stays. */
export function withoutLeave(text: string, wanted: readonly Leave[], was: string | null): string {
  return wanted.reduce((now, { list, name }) => {
    const place = placeOf(now, list, name);
    if (place === -1 || placeOf(was ?? '', list, name) !== -1) return now;
    return removeAt(now, [...list, place], placeIn(was, list));
  }, text);
}

function placeOf(text: string, list: readonly string[], name: string): number {
  if (text.trim() === '') return -1;
  const node = nodeAt(parseTree(text), list);
  return node?.kind === 'array' ? node.items.findIndex((item) => valueOf(item) === name) : -1;
}

/** What settings say besides this leave. What holds nothing says nothing. */
export function othersInLeave(settings: Readonly<Record<string, unknown>>): unknown {
  const { permissions = {}, enabledMcpjsonServers: servers = [], ...rest } = settings;
  if (typeof permissions !== 'object' || permissions === null) return settings;
  const { allow = [], ...others } = permissions as Readonly<Record<string, unknown>>;
  return { rest, others, allow: without(allow, calls.name), servers: without(servers, start.name) };
}

function without(list: unknown, name: string): unknown {
  return Array.isArray(list) ? list.filter((one) => one !== name) : list;
}

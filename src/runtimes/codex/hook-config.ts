/**
 * Our part of Codex's config.toml: the MCP server, and the trust in our hooks. The file is the user's, and several may have a part in it: the
 * settings of the user, and each repository that was set up on its own.
 *
 *   # >>> staffetta
 *   [mcp_servers.staffetta]                         for all that have a part; goes with the last
 *   [hooks.state."…/hooks.json:session_start:0:0"]  of the one whose hooks.json the key names
 *   # <<< staffetta
 *
 * Codex writes this file too: it moves tables, puts its own between the marks, and drops comments. So the marks are for people, and ours is found
 * by what it says: a server that starts staffetta, and the trust in a handler that is ours in the hooks.json that its key names. Nothing is
 * returned that does not say what it said before, and ours besides: both are parsed and compared.
 */
import { isDeepStrictEqual } from 'node:util';
import { hooksFileOf, type HookTrust } from './hook-trust.ts';
import { isOwnServer } from '../../setup/edit/json-server.ts';
import { appended, joinAround, newlineOf, tomlMarks } from '../../setup/edit/marked-block.ts';
import {
  NotToml,
  parseToml,
  piecesOf,
  sectionsOf,
  textOfPieces,
  type TomlPiece,
  type TomlSection,
} from '../../setup/edit/toml-pieces.ts';

export interface CodexWish {
  readonly server: { readonly command: string; readonly args: readonly string[] };
  /** The hooks.json whose hooks are trusted, and the trust in them. */
  readonly hooks: string;
  readonly trusts: readonly HookTrust[];
}

/** The trust in our hooks of a hooks.json, as that file is; none where it is not there. */
export type TrustsOf = (hooks: string) => readonly HookTrust[];

type Table = Readonly<Record<string, unknown>>;
type Pair = readonly [key: string, value: unknown];

const trustWords =
  '# Codex runs these hooks because init was told so; it asks again when one of them changes.';

export function withCodex(text: string, wish: CodexWish): string {
  const config = parseToml(text);
  const found = serverIn(config);
  // One that somebody made by hand is left as it is.
  const server = found === undefined || isOwnServer(found) ? serverPairs(wish) : [];
  const sections = sectionsOf(piecesOf(text));
  const trusts = wish.trusts.filter(({ key }) => sections.some(isTrustOf(key)) || !(key in stateOf(config)));
  const newline = newlineOf(text);
  const changed = sections.flatMap((section): TomlSection[] => {
    if (isServerHead(section)) return [withPairs(section, server, newline)];
    const trust = trusts.find(({ key }) => isTrustOf(key)(section));
    if (trust !== undefined) return [withPairs(section, [['trusted_hash', trust.hash]], newline)];
    return isMovedTrust(section, wish) ? [] : [section];
  });
  const missing = trusts.filter(({ key }) => !sections.some(isTrustOf(key)));
  const lines = [
    ...(server.length === 0 || sections.some(isServerHead)
      ? []
      : ['[mcp_servers.staffetta]', ...server.map(pairText)]),
    ...(missing.length === 0 || text.includes(trustWords) ? [] : [trustWords]),
    ...missing.flatMap(({ key, hash }) => [`[hooks.state.${quoted(key)}]`, pairText(['trusted_hash', hash])]),
  ];
  const after = inserted(textOfSections(changed), lines, newline);
  const keys = [
    ...trusts.map(({ key }) => key),
    ...sections.filter((one) => isMovedTrust(one, wish)).map(keyOf),
  ];
  assertSame(text, after, { server: server.length > 0, keys });
  assertThere(after, server, trusts);
  return after;
}

/** Before the closing mark if there is one, which Codex leaves at the end; else in a block of its own at the end. */
function inserted(text: string, lines: readonly string[], newline: string): string {
  if (lines.length === 0) return text;
  const body = lines.map((line) => line + newline).join('');
  const pieces = piecesOf(text);
  const close = pieces.findLastIndex((piece) => piece.text.trim() === tomlMarks.close);
  if (close === -1) return appended(text, `${tomlMarks.open}${newline}${body}${tomlMarks.close}${newline}`);
  return textOfPieces(pieces.slice(0, close)) + body + textOfPieces(pieces.slice(close));
}

/** Without the part of the one whose hooks these are; null for every part. */
export function withoutCodex(text: string, hooks: string | null, trustsOf: TrustsOf): string {
  const config = parseToml(text);
  const sections = sectionsOf(piecesOf(text));
  const own = sections.filter((section) => isOwnTrust(section, trustsOf));
  const mine = own.filter((section) => hooks === null || hooksFileOf(keyOf(section)) === hooks);
  const isServerOurs = isOwnServer(serverIn(config));
  const isShared = own.length > mine.length;
  if (mine.length === 0 && (isShared || !isServerOurs)) return text;
  const left = sections.filter(
    (section) => !mine.includes(section) && (isShared || !isServerOurs || !isServer(section)),
  );
  const rest = textOfSections(left);
  const after = isShared ? rest : withoutMarks(rest);
  assertSame(text, after, { server: isServerOurs && !isShared, keys: mine.map(keyOf) });
  return after;
}

/** Whatever is left between the marks is somebody else's. */
function withoutMarks(text: string): string {
  const pieces = piecesOf(text);
  const open = pieces.findIndex((piece) => piece.text.trim() === tomlMarks.open);
  const kept = (from: number, to?: number): string =>
    textOfPieces(pieces.slice(from, to).filter((piece) => !isOurComment(piece)));
  return open === -1 ? kept(0) : joinAround(kept(0, open), kept(open));
}

function isOurComment({ text }: TomlPiece): boolean {
  return [tomlMarks.open, tomlMarks.close, trustWords].includes(text.trim());
}

function textOfSections(sections: readonly TomlSection[]): string {
  return sections.map(({ pieces }) => textOfPieces(pieces)).join('');
}

function isServer({ path }: TomlSection): boolean {
  return path[0] === 'mcp_servers' && path[1] === 'staffetta';
}

function isServerHead(section: TomlSection): boolean {
  return isServer(section) && section.path.length === 2;
}

function isTrust({ path }: TomlSection): boolean {
  return path.length === 3 && path[0] === 'hooks' && path[1] === 'state';
}

function keyOf({ path }: TomlSection): string {
  return path[2] ?? '';
}

function isTrustOf(key: string): (section: TomlSection) => boolean {
  return (section) => isTrust(section) && keyOf(section) === key;
}

/** The hash does not depend on where the hook stands; so ours is known also where it has moved in its file since. */
function isOwnTrust(section: TomlSection, trustsOf: TrustsOf): boolean {
  if (!isTrust(section)) return false;
  const hash = hashIn(section);
  return trustsOf(hooksFileOf(keyOf(section))).some(
    (trust) => trust.key === keyOf(section) || trust.hash === hash,
  );
}

function isMovedTrust(section: TomlSection, { hooks, trusts }: CodexWish): boolean {
  if (!isTrust(section) || hooksFileOf(keyOf(section)) !== hooks) return false;
  return (
    !trusts.some(({ key }) => key === keyOf(section)) && trusts.some(({ hash }) => hash === hashIn(section))
  );
}

function hashIn(section: TomlSection): unknown {
  return parseToml(textOfPieces(section.pieces.slice(1)))['trusted_hash'];
}

function serverPairs({ server: { command, args } }: CodexWish): Pair[] {
  return [
    ['command', command],
    ['args', args],
    // Codex hands no more of its environment on than it is told to.
    ['env_vars', ['STAFFETTA_STORE']],
  ];
}

function pairText([key, value]: Pair): string {
  return `${key} = ${quoted(value)}`;
}

/** A basic string of TOML takes what JSON writes but for one character. */
function quoted(value: unknown): string {
  return JSON.stringify(value).replaceAll('\u007F', String.raw`\u007F`);
}

/** Only the keys that are ours; the others stay as they are. */
function withPairs(section: TomlSection, pairs: readonly Pair[], newline: string): TomlSection {
  const said = parseToml(textOfPieces(section.pieces.slice(1)));
  const stale = pairs.filter(([key, value]) => !isDeepStrictEqual(said[key], value));
  if (stale.length === 0) return section;
  const written = ([key, value]: Pair): TomlPiece => ({
    kind: 'pair',
    text: pairText([key, value]) + newline,
    path: [key],
  });
  const [head, ...rest] = section.pieces.map((piece) => {
    const pair = stale.find(([key]) => piece.kind === 'pair' && piece.path[0] === key);
    if (pair !== undefined) return written(pair);
    return piece.text.endsWith('\n') ? piece : { ...piece, text: piece.text + newline };
  });
  const missing = stale.filter(([key]) => !(key in said)).map(written);
  return { path: section.path, pieces: [...(head === undefined ? [] : [head]), ...missing, ...rest] };
}

/** Tables that have only what Codex keeps about a server's tools are no server. */
function serverIn(config: Table): Table | undefined {
  const server = tableAt(config, 'mcp_servers')['staffetta'];
  if (typeof server !== 'object' || server === null) return server === undefined ? undefined : {};
  return 'command' in server || 'url' in server ? { ...server } : undefined;
}

function stateOf(config: Table): Table {
  return tableAt(tableAt(config, 'hooks'), 'state');
}

function tableAt(table: Table, key: string): Table {
  const value = table[key];
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Table) : {};
}

interface Ours {
  readonly server: boolean;
  readonly keys: readonly string[];
}

function assertSame(before: string, after: string, ours: Ours): void {
  if (!isToml(after)) throw inTheWay(before);
  if (isDeepStrictEqual(othersOf(parseToml(before), ours), othersOf(parseToml(after), ours))) return;
  throw new NotToml(
    'lines of others stand where they belong to tables of ours',
    'Nothing was written. Move those lines to the table they are meant for, then try again.',
  );
}

function assertThere(after: string, server: readonly Pair[], trusts: readonly HookTrust[]): void {
  const now = parseToml(after);
  const entry = tableAt(tableAt(now, 'mcp_servers'), 'staffetta');
  const isThere =
    server.every(([key, value]) => isDeepStrictEqual(entry[key], value)) &&
    trusts.every(({ key, hash }) => tableAt(stateOf(now), key)['trusted_hash'] === hash);
  if (!isThere) throw inTheWay(after);
}

function inTheWay(before: string): NotToml {
  const isClosed = (name: string): boolean => !isToml(`${before}\n[${name}.staffetta-probe]\n`);
  const closed = ['mcp_servers', 'hooks.state'].find(isClosed) ?? 'mcp_servers';
  return new NotToml(
    `nothing can be added to ${closed} in it: that is written in braces or with dots, or is something else than a table`,
    `Nothing was written. Write it as tables with heads of their own, as in [${closed}.NAME], and try again; or leave Codex out by naming another program with --runtime.`,
  );
}

function isToml(text: string): boolean {
  try {
    parseToml(text);
    return true;
  } catch {
    return false;
  }
}

/** What a configuration says besides ours. A table that holds nothing says nothing. */
function othersOf(config: Table, { server, keys }: Ours): unknown {
  const { mcp_servers: servers = {}, hooks = {}, ...rest } = config;
  const { state = {}, ...events } = without(hooks, () => false);
  return {
    rest,
    servers: without(servers, (key) => server && key === 'staffetta'),
    events,
    state: without(state, (key) => keys.includes(key)),
  };
}

function without(table: unknown, isOurs: (key: string) => boolean): Table {
  if (typeof table !== 'object' || table === null || Array.isArray(table)) return { '': table };
  return Object.fromEntries(Object.entries(table).filter(([key]) => !isOurs(key)));
}

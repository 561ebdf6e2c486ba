/** A line of JSON: every string by itself, and values by the names they stand under. Nothing outside its strings is touched. */
import type { FoundSecret } from './found.ts';
import type { JsonString } from './json-strings.ts';
import { isLikelySecret, isMixed, isPasswordLooking, isRandomLooking } from '../plausible.ts';
import { ranks } from '../rules.ts';
import { headerRules } from '../rules/headers.ts';
import { jwkRules } from '../rules/jwk.ts';
import { isSecretInList } from '../rules/pairs.ts';
import type { TextRun } from './runs.ts';
import {
  fromView,
  guardOf,
  scanText,
  withoutRests,
  type ScanHit,
  type LineMarks,
  type ScanScope,
} from './scan-line.ts';
import { isEnvName, isPasswordName, isSecretName } from '../secret-name.ts';
import { unescaped, type View } from './view.ts';

export function scanJson(
  line: string,
  strings: readonly JsonString[],
  marks: LineMarks,
  scope: ScanScope,
): FoundSecret[] {
  const found: FoundSecret[] = acrossStrings(line, marks);
  const inString = slicer(marks);
  for (const [i, string] of strings.entries()) {
    const inside = inString(string);
    if (inside.hits.length === 0 && inside.runs.length === 0) continue;
    found.push(...scanString(line, string, inside, scope));
    if (inside.hits.some(namesSecret)) found.push(...namedValue(line, strings, i));
  }
  return found;
}

/** A JSON web key's private number: its anchor is the name with its quotes, which is in no string. */
function acrossStrings(line: string, { hits }: LineMarks): FoundSecret[] {
  return hits.flatMap(({ at, role }) => {
    if (role.kind !== 'rule' || !jwkRules.includes(role.rule)) return [];
    const span = role.rule.find(line, at);
    if (span === undefined) return [];
    const secret = line.slice(span.start, span.end);
    return [{ ...span, rule: role.rule.id, rank: role.rank, secret, continues: false }];
  });
}

/** Strings and marks are both in order, so one pass gives each string its own. */
function slicer(marks: LineMarks): (string: JsonString) => LineMarks {
  let hit = 0;
  let run = 0;
  return ({ start, end }) => {
    while ((marks.hits[hit]?.at ?? Infinity) < start) hit++;
    while ((marks.runs[run]?.start ?? Infinity) < start) run++;
    const hits: ScanHit[] = [];
    const runs: TextRun[] = [];
    for (let next = marks.hits[hit]; next !== undefined && next.at < end; next = marks.hits[++hit])
      hits.push({ at: next.at - start, role: next.role });
    for (let next = marks.runs[run]; next !== undefined && next.start < end; next = marks.runs[++run])
      runs.push({ ...next, start: next.start - start, end: next.end - start });
    return { hits, runs };
  };
}

function scanString(
  line: string,
  { start, end, escaped }: JsonString,
  marks: LineMarks,
  scope: ScanScope,
): FoundSecret[] {
  const content = line.slice(start, end);
  const found =
    escaped && scope.depth > 0
      ? withoutRests(decodedFound(unescaped(content), scope), marks.runs)
      : scanText(content, marks, scope);
  return found.map((one) => ({ ...one, start: one.start + start, end: one.end + start }));
}

function decodedFound(view: View, scope: ScanScope): FoundSecret[] {
  return fromView(view, scope.deeper(view.text, scope.depth - 1));
}

function namesSecret({ role }: ScanHit): boolean {
  return role.kind === 'rule' && (role.rule.id === 'assigned-secret' || headerRules.includes(role.rule));
}

/** `"password": "…"`, `["API_TOKEN", "…"]`, and `"name": "DB_PASSWORD", "value": "…"` as containers list their environment. */
function namedValue(line: string, strings: readonly JsonString[], i: number): FoundSecret[] {
  const named = strings[i];
  if (named === undefined) return [];
  const name = line.slice(named.start, named.end);
  if (named.isKey) return valueUnder(line, name, named, strings[i + 1]);
  const key = strings[i - 1];
  const next = strings[i + 1];
  if (next?.isKey === false) return valueAfter(line, name, named, next);
  if (key?.isKey !== true || next?.isKey !== true || !/^(?:name|key)$/i.test(line.slice(key.start, key.end)))
    return [];
  return /^value$/i.test(line.slice(next.start, next.end))
    ? valueUnder(line, name, next, strings[i + 2])
    : [];
}

function valueAfter(line: string, name: string, named: JsonString, value: JsonString): FoundSecret[] {
  if (!/^"[ \t]*,[ \t]*"$/.test(line.slice(named.end, value.start)) || !isSecretName(name)) return [];
  return inValue(line, value, (text) => (isSecretInList(name, text) ? assigned(text) : []));
}

function valueUnder(
  line: string,
  name: string,
  key: JsonString,
  value: JsonString | undefined,
): FoundSecret[] {
  if (value === undefined || value.isKey || !/^"[ \t]*:[ \t]*"$/.test(line.slice(key.end, value.start)))
    return [];
  return inValue(line, value, (text) => judged(name, text));
}

function inValue(
  line: string,
  value: JsonString,
  find: (text: string) => readonly FoundSecret[],
): FoundSecret[] {
  const view = unescaped(line.slice(value.start, value.end));
  return find(view.text).map((one) => ({
    ...one,
    start: value.start + view.sourceStart(one.start),
    end: value.start + view.sourceEnd(one.end),
  }));
}

function judged(name: string, value: string): FoundSecret[] {
  if (!isSecretName(name)) return inHeader(name, value);
  return isSecretUnder(name, value) ? assigned(value) : [];
}

function assigned(value: string): FoundSecret[] {
  const span = guardOf(value)({ start: 0, end: value.length });
  return span === undefined
    ? []
    : [{ ...span, rule: 'assigned-secret', rank: ranks.assigned, secret: value, continues: false }];
}

function isSecretUnder(name: string, value: string): boolean {
  if (isPasswordName(name) ? isPasswordLooking(value) : isRandomLooking(value)) return true;
  return isEnvName(name) && isPasswordName(name) && isMixed(value) && isLikelySecret(value);
}

/** Headers of a request as an object: read as the line that the header is. */
function inHeader(name: string, value: string): FoundSecret[] {
  const lead = `${name}: `;
  const text = lead + value;
  const guard = guardOf(text);
  return headerRules.flatMap((rule) => {
    const at = rule.anchors.map((anchor) => lead.toLowerCase().indexOf(anchor)).find((place) => place !== -1);
    const span = at === undefined ? undefined : rule.find(text, at);
    const admitted = span === undefined || span.start < lead.length ? undefined : guard(span);
    if (admitted === undefined) return [];
    const secret = text.slice(admitted.start, admitted.end);
    const { start, end } = admitted;
    return [
      {
        start: start - lead.length,
        end: end - lead.length,
        rule: rule.id,
        rank: ranks.assigned,
        secret,
        continues: false,
      },
    ];
  });
}

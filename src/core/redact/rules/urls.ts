import { userinfoGlance } from '../scan/glance.ts';
import { distinct, isMadeOfCommonWords, isMixed, isStandIn } from '../plausible.ts';
import type { SecretRule, Span } from '../rule.ts';

/**
 * The password of a URL: `scheme://user:password@host`. User and host stay, so that one still sees what is connected to. A
 * token in the user's place, as git hosts allow it, is taken too if it is long.
 */
export const urlRule: SecretRule = {
  id: 'url-password',
  anchors: ['://'],
  glance: userinfoGlance,
  find: findInUrl,
};

/** A password nobody encoded may hold an @: up to the last one before the path. */
const userinfo = /(:\/\/[^ \t\r:/?#@"'`<>[\]\\]{0,256}:)([^ \t\r/?#"'`<>\\]{1,512})@(?=[\w[%-])/y;
/** Or a slash or a question mark: up to the last @ before white space or a quote. */
const loose = /(:\/\/[^ \t\r:/?#@"'`<>[\]\\]{1,256}:)([^ \t\r"'`<>\\]{1,256})@(?=[\w-]+(?:[.:/]|$))/y;
const lone = /(:\/\/)([A-Za-z0-9_~.-]{20,512})(?::(?:x-oauth-basic)?)?@(?=[\w-])/y;
const databases =
  /(?:postgres(?:ql)?|mysql|mariadb|mongodb(?:\+srv)?|rediss?|amqps?|mssql|sqlserver|clickhouse|cockroachdb|couchdb|ldaps?|smtps?|s?ftps?)$/i;

function findInUrl(text: string, at: number): Span | undefined {
  const isDatabase = databases.test(text.slice(Math.max(0, at - 16), at));
  return (
    accepted(secretOf(userinfo, text, at), text, (value) => isPassword(value, isDatabase)) ??
    (isDatabase
      ? accepted(secretOf(loose, text, at), text, (value) => isPassword(value, true))
      : undefined) ??
    accepted(secretOf(lone, text, at), text, isMixed)
  );
}

function accepted(
  span: Span | undefined,
  text: string,
  accept: (value: string) => boolean,
): Span | undefined {
  return span !== undefined && accept(text.slice(span.start, span.end)) ? span : undefined;
}

function secretOf(expression: RegExp, text: string, at: number): Span | undefined {
  expression.lastIndex = at;
  const match = expression.exec(text);
  if (match === null) return undefined;
  const start = at + (match[1] ?? '').length;
  return { start, end: start + (match[2] ?? '').length };
}

/** `user:pass@` and the like stand in every manual; what is short and simple in a web address is an example. */
function isPassword(value: string, isDatabase: boolean): boolean {
  if (isStandIn(value)) return false;
  if (isDatabase) return value.length >= 4 && distinct(value) >= 3;
  if (isMadeOfCommonWords(value) || value.includes(':') || /^x-[a-z-]+$/.test(value)) return false;
  return value.length >= 12 || (value.length >= 6 && /[^A-Za-z]/.test(value) && /[A-Za-z]/.test(value));
}

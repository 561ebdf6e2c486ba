/** Secrets known by the shape of the run of characters they are, without any literal in them. */
import { entropy, isNameLike } from '../plausible.ts';
import { gluedEnd, type Span } from '../rule.ts';
import { airtableIdBytes, awsKeyBytes, type TextRun } from '../scan/runs.ts';

export interface SecretShape extends Span {
  readonly rule: string;
}

export function shapeOf(text: string, run: TextRun): SecretShape | undefined {
  return awsSecretKey(text, run) ?? discordToken(text, run) ?? airtableToken(text, run);
}

/**
 * Forty characters of base64, alone between white space or quotes. So are paths, names and digests of that length; but those are hex,
 * or are made of words, and chance seldom puts nine small letters in a row.
 */
function awsSecretKey(text: string, run: TextRun): SecretShape | undefined {
  const { start } = run;
  if (run.isRest || run.end - start !== awsKeyBytes) return undefined;
  const value = text.slice(start, run.end);
  // The sign of a diff is taken off the run, so it may be the character before.
  const isDelimited =
    start === 1 ? /^[ \t"'`=:,+-]/.test(text) : /^[ \t"'`=:,]?$/.test(text.charAt(start - 1));
  if (!isDelimited || !/^[ \t\r"'`,\\&]?$/.test(text.charAt(run.end))) return undefined;
  if (text.charAt(run.end) === '&' && text.charAt(start - 1) !== '=') return undefined;
  if (!/^[A-Za-z0-9+/]+$/.test(value) || /[a-z]{9}|[A-Z]{10}|\d{7}/.test(value)) return undefined;
  const upper = value.replace(/[^A-Z]/g, '').length;
  const lower = value.replace(/[^a-z]/g, '').length;
  const digits = value.replace(/\D/g, '').length;
  if (upper < 5 || lower < 5 || digits < 1 || entropy(value) < 4.3) return undefined;
  if (isNameLike(value) || isTextInBase64(value)) return undefined;
  return { rule: 'aws-secret-key', start, end: run.end };
}

function isTextInBase64(value: string): boolean {
  return /^[\x09\x0a\x0d\x20-\x7e]+$/.test(Buffer.from(value, 'base64').toString('latin1'));
}

const discord = new RegExp(`[MNO][A-Za-z0-9]{23,27}\\.[\\w-]{6}\\.[\\w-]{27,40}${gluedEnd}`, 'y');

/** A user's number in base64, a time, a signature. */
function discordToken(text: string, run: TextRun): SecretShape | undefined {
  // Of a number in base64 no sign is a part, but of the path or the name it may stand in.
  const before = text.slice(run.start, run.end);
  const start = run.start + Math.max(...['/', '-', '_'].map((sign) => before.lastIndexOf(sign))) + 1;
  discord.lastIndex = start;
  const match = discord.exec(text);
  if (match === null) return undefined;
  const user = Buffer.from(match[0].slice(0, match[0].indexOf('.')), 'base64').toString('latin1');
  return /^\d{17,20}$/.test(user)
    ? { rule: 'discord-token', start, end: start + match[0].length }
    : undefined;
}

const airtable = /(?<![A-Za-z0-9])pat[A-Za-z0-9]{14}\.[0-9a-f]{64}(?![0-9A-Za-z])/y;

function airtableToken(text: string, run: TextRun): SecretShape | undefined {
  const start = run.start - airtableIdBytes;
  if (start < 0) return undefined;
  airtable.lastIndex = start;
  const match = airtable.exec(text);
  return match === null ? undefined : { rule: 'airtable-token', start, end: start + match[0].length };
}

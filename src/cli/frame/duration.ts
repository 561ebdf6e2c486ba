import { isExpired } from '../../core/task/lapse.ts';
import { UsageError } from './usage.ts';

const units: Readonly<Record<string, number>> = {
  ms: 1,
  s: 1000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 604_800_000,
};

const form = /^(\d+(?:\.\d+)?) ?(ms|s|m|h|d|w)$/;

/** Dates further away than this cannot be written down. */
const msMax = 100 * 365 * 86_400_000;

/** `90s`, `15m`, `2h`, `30d`; a bare number is refused, because nobody agrees on its unit. */
export function parseDuration(text: string, option: string): number {
  const match = form.exec(text.trim());
  const unit = units[match?.[2] ?? ''];
  if (match?.[1] === undefined || unit === undefined) {
    const bare = /^\d+$/.test(text.trim()) ? ` Did you mean ${text.trim()}s?` : '';
    throw new UsageError(
      `--${option} takes a time such as 90s, 15m, 2h or 30d, not ${JSON.stringify(text)}.${bare}`,
    );
  }
  const ms = Math.round(Number(match[1]) * unit);
  if (ms > msMax)
    throw new UsageError(`--${option} takes at most a hundred years, not ${JSON.stringify(text)}.`);
  return ms;
}

/** The same, where no time at all makes no sense. */
export function parsePositiveDuration(text: string, option: string): number {
  const ms = parseDuration(text, option);
  if (ms === 0) throw new UsageError(`--${option} takes a time above zero, not ${JSON.stringify(text)}.`);
  return ms;
}

/** A time from now (`2h`), a time of the day here (`14:05`, the next one), or a date. */
export function untilFrom(text: string, now: number): number {
  const [, hours, minutes] = /^([01]?\d|2[0-3]):([0-5]\d)$/.exec(text.trim()) ?? [];
  if (hours !== undefined && minutes !== undefined) {
    const at = new Date(now).setHours(Number(hours), Number(minutes), 0, 0);
    return at > now ? at : new Date(at).setDate(new Date(at).getDate() + 1);
  }
  const date = /^\d{4}-\d\d-\d\d/.test(text.trim()) ? Date.parse(text.trim()) : Number.NaN;
  if (Number.isNaN(date) && !form.test(text.trim()))
    throw new UsageError(
      `--until takes a time such as 2h, 14:05 or 2027-01-31, not ${JSON.stringify(text)}.`,
    );
  const until = Number.isNaN(date) ? now + parsePositiveDuration(text, 'until') : date;
  if (until <= now) throw new UsageError(`--until ${text} is over already.`, 'Give a time that is to come.');
  return until;
}

/** The time of the day here, with the day where that is another. */
export function formatClock(at: number, now = Date.now()): string {
  const [then, today] = [new Date(at), new Date(now)];
  const time = then.toLocaleTimeString('en-GB', { hour: '2-digit', minute: '2-digit' });
  if (then.toDateString() === today.toDateString()) return time;
  return `${time} on ${then.toLocaleDateString('en-GB', { day: 'numeric', month: 'long' })}`;
}

/** Two units at most: exact enough to act on. */
export function formatDuration(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`;
  const seconds = Math.floor(ms / 1000);
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} min${seconds % 60 === 0 || minutes > 9 ? '' : ` ${seconds % 60} s`}`;
  const hours = Math.floor(minutes / 60);
  if (hours < 48) return `${hours} h${minutes % 60 === 0 ? '' : ` ${minutes % 60} min`}`;
  return `${Math.floor(hours / 24)} d`;
}

/** One unit, for a column: `59s`, `5m`, `3h`, `12d`. */
export function formatShort(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  if (seconds < 60) return `${seconds}s`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)}m`;
  if (seconds < 2 * 86_400) return `${Math.floor(seconds / 3600)}h`;
  return `${Math.floor(seconds / 86_400)}d`;
}

export function formatAgo(at: number, now: number): string {
  return now - at < 1000 ? 'just now' : `${formatDuration(now - at)} ago`;
}

/** A lease or a deadline, as seen from now. */
export function formatLeft(until: number, now: number): string {
  if (isExpired(until, now)) return `${formatDuration(now - until)} over`;
  // Rounded up: a lease of a minute that has just begun has a minute left.
  return `${formatDuration(Math.ceil((until - now) / 1000) * 1000)} left`;
}

function two(value: number): string {
  return String(value).padStart(2, '0');
}

/** As a clock here shows it; with the day where that is not today. */
export function timeWords(at: number, now = Date.now()): string {
  const [then, today] = [new Date(at), new Date(now)];
  const clock = `${two(then.getHours())}:${two(then.getMinutes())}`;
  if (then.toDateString() === today.toDateString()) return clock;
  return `${then.getFullYear()}-${two(then.getMonth() + 1)}-${two(then.getDate())} ${clock}`;
}

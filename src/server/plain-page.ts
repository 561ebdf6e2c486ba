/** The plain page: tasks by lane and state, without script, with the command and the data behind each. */
import { isDisbelieved, isExpired } from '../core/task/lapse.ts';
import { counted } from '../core/base/counted.ts';
import { createHash } from 'node:crypto';
import { lanes } from '../core/task/lanes.ts';
import { sanitizeLine } from '../core/base/sanitize.ts';
import { finalStatuses, shownCard, statuses } from '../core/task/state.ts';
import type { Context } from '../handoff/record/context.ts';
import type { ListedCard } from '../ports/journal.ts';
import { html, Markup } from './html.ts';

const style = `body{font:16px/1.5 system-ui,sans-serif;margin:2rem auto;max-width:72rem;padding:0 1rem;color-scheme:light dark}
table{border-collapse:collapse;width:100%}
th,td{text-align:left;padding:.3rem .8rem .3rem 0;vertical-align:top;border-bottom:1px solid #8884;overflow-wrap:anywhere}
code{font:13px ui-monospace,monospace}
h1{font-size:1.4rem}
h2{font-size:1.1rem;margin-top:2rem}`;

/** To the character: a browser compares its content with the hash. */
const styleElement = new Markup(`<style>${style}</style>`);
const styleHash = createHash('sha256').update(style).digest('base64');

/** The one style of these pages is named by its hash; there is no script to allow. */
export const pageHeaders: Readonly<Record<string, string>> = {
  'Content-Type': 'text/html; charset=utf-8',
  'Content-Security-Policy': `default-src 'none'; style-src 'sha256-${styleHash}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
};

export function document(title: string, body: Markup, head: Markup = new Markup('')): string {
  const { text } = html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width,initial-scale=1" />
        <title>${title}</title>
        ${head} ${styleElement}
      </head>
      <body>
        ${body}
      </body>
    </html> `;
  return text;
}

const tasksMax = 500;

export async function boardPage(context: Context): Promise<string> {
  const open = statuses.filter((status) => !finalStatuses.includes(status));
  let damaged = 0;
  const { cards, next } = await context.store.catalog.list({
    statuses: open,
    limit: tasksMax,
    onDamaged: () => (damaged += 1),
  });
  const now = context.clock.now();
  const shown = cards.map(shownCard);
  const parts = [...lanes, null].flatMap((lane) => {
    const own = shown.filter((card) => card.lane === lane);
    return own.length === 0 ? [] : [lanePart(lane ?? 'no lane yet', own, now)];
  });
  const notes = [
    ...(next === undefined ? [] : [html`<p>There are more; these are the newest ${tasksMax}.</p>`]),
    ...(damaged === 0
      ? []
      : [html`<p>${damaged} more cannot be read. Run: <code>staffetta verify</code></p>`]),
  ];
  const body = html`<h1>Staffetta</h1>
    <p>
      ${counted(cards.length, 'open task')}. Data: <a href="/api/tasks">tasks</a>,
      <a href="/api/reviews">reviews</a>, <a href="/api/openapi.json">the API</a>.
    </p>
    ${parts}${notes}`;
  return document('Staffetta', body);
}

function lanePart(lane: string, cards: readonly ListedCard[], now: number): Markup {
  const sorted = cards.toSorted((a, b) => statuses.indexOf(a.status) - statuses.indexOf(b.status));
  return html`<h2>${lane}</h2>
    <table>
      <tr>
        <th>State</th>
        <th>Task</th>
        <th>Who</th>
        <th>Command</th>
      </tr>
      ${sorted.map((card) => row(card, now))}
    </table> `;
}

function row(card: ListedCard, now: number): Markup {
  const { task, status, title } = card;
  const command = status === 'submitted' ? 'review' : status === 'escalated' && card.dead ? 'dead' : 'show';
  return html`<tr>
    <td>${status}</td>
    <td><a href="/api/tasks/${encodeURIComponent(task)}">${sanitizeLine(title)}</a></td>
    <td>${whose(card, now)}</td>
    <td><code>staffetta ${command} ${task}</code></td>
  </tr> `;
}

function whose({ holder, leaseUntil, updatedAt, to }: ListedCard, now: number): string {
  if (holder === null) return to === null ? '' : `offered to ${sanitizeLine(to)}`;
  if (leaseUntil === null) return sanitizeLine(holder);
  if (isDisbelieved({ until: leaseUntil, updatedAt }, now))
    return `${sanitizeLine(holder)} (lease too far ahead to be believed)`;
  const seconds = Math.ceil(Math.abs(leaseUntil - now) / 1000);
  return `${sanitizeLine(holder)} (${isExpired(leaseUntil, now) ? `over for ${seconds} s` : `${seconds} s left`})`;
}

export function signInPage(): string {
  return document(
    'Staffetta',
    html`<h1>Not signed in</h1>
      <p>
        Open the one-time link that <code>staffetta up</code> printed. Each works once, and for ten minutes.
        For another, while the server runs: <code>staffetta up --link</code>
      </p>
      <p>Programs send a token: <code>staffetta token create</code></p>`,
  );
}

/** A redirect would not bring the new cookie along when the link was opened from elsewhere; a page that goes on by itself does. */
export function signedInPage(to = '/'): string {
  return document(
    'Staffetta',
    html`<h1>Signed in</h1>
      <p><a href="${to}">Go on</a></p>`,
    html`<meta http-equiv="refresh" content="0;url=${to}" />`,
  );
}

export function usedLinkPage(): string {
  return document(
    'Staffetta',
    html`<h1>This link is used up</h1>
      <p>
        A link works once, and for ten minutes. For a new one, where the server runs:
        <code>staffetta up --link</code>
      </p>`,
  );
}

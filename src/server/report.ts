/**
 * A task as one file that needs nothing else: no script, no request, one style that the file itself allows by its hash. Whatever
 * people, agents and programs wrote is made safe to show and escaped. It is told a part at a time, so that a long history is never held whole.
 */
import { readStanding } from '../handoff/views/standing-contract.ts';
import { counted } from '../core/base/counted.ts';
import { createHash } from 'node:crypto';
import { readiness } from '../core/packet/readiness.ts';
import { sanitize } from '../core/base/sanitize.ts';
import { addedLines, addedTitle, type StandingContract } from '../core/contract/added-terms.ts';
import { findingText } from '../core/task/finding-words.ts';
import { notCarriedLines } from '../core/packet/not-carried.ts';
import { claimText, type Packet } from '../core/packet/packet.ts';
import type { TaskState } from '../core/task/state.ts';
import type { TaskId } from '../core/journal/id.ts';
import type { Story, StoryStep } from '../core/transcript/story.ts';
import type { Context } from '../handoff/record/context.ts';
import { readFindings } from '../handoff/sealing/findings.ts';
import { readBlob, readCheckedPacket } from '../handoff/history/history.ts';
import { load, soundPages, type SoundEntry } from '../handoff/record/load.ts';
import { timeline, type TimelineLeg } from '../handoff/history/timeline.ts';
import { verifyTask, type Verification } from '../handoff/trust/verify.ts';
import { escaped, html, Markup } from './html.ts';

const style = `body{font:15px/1.5 system-ui,sans-serif;margin:2rem auto;max-width:64rem;padding:0 1rem;color-scheme:light dark}
table{border-collapse:collapse;width:100%}
th,td{text-align:left;padding:.25rem .8rem .25rem 0;vertical-align:top;border-bottom:1px solid #8884;overflow-wrap:anywhere}
pre,code{font:12px/1.45 ui-monospace,monospace}
pre{white-space:pre-wrap;overflow-wrap:anywhere;border-left:3px solid #8884;padding-left:.8rem;margin:.3rem 0}
h1{font-size:1.5rem}h2{font-size:1.15rem;margin-top:2.2rem}h3{font-size:1rem;margin:1.2rem 0 0}
.bad{font-weight:700}`;

export const reportPolicy = `default-src 'none'; style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'; base-uri 'none'; form-action 'none'`;

/** Nothing may stand between the marks and the style: the hash is of everything between them. */
const styleElement = new Markup(`<style>${style}</style>`);

const diffCharsMax = 1_000_000;

export async function* reportPieces(context: Context, task: TaskId, story: Story): AsyncGenerator<string> {
  const { state } = await load(context, task);
  const contract = await readStanding(context, state);
  // Opened here and closed at the end: what is between is as long as the task.
  yield `<!doctype html>\n<html lang="en">\n${headPart(state).text}\n<body>\n`;
  yield titlePart(state, context.clock.now()).text;
  yield contractPart(contract).text;
  yield verificationPart(await verifyTask(context, task)).text;
  yield legsPart(await timeline(context, task)).text;
  if (state.packet !== null)
    yield* packetParts(context, state, await readCheckedPacket(context, state.packet));
  yield html`<h2>History of reasoning</h2>`.text;
  if (story.steps.length === 0) yield html`<p>No packet holds steps.</p>`.text;
  for (const step of story.steps) yield stepPart(step).text;
  yield html`<h2>Journal</h2>
    <p>
      Each entry binds the one before it. Its digest is SHA-256 of <code>staffetta/entry/v1</code>, a line end
      and its body.
    </p>`.text;
  for await (const page of soundPages(context, state)) for (const entry of page) yield entryPart(entry).text;
  yield '</body></html>\n';
}

function headPart(state: TaskState): Markup {
  return html`<head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width,initial-scale=1" />
    <meta http-equiv="Content-Security-Policy" content="${reportPolicy}" />
    <meta name="referrer" content="no-referrer" />
    <title>${shown(state.terms.title)}</title>
    ${styleElement}
  </head>`;
}

function titlePart(state: TaskState, now: number): Markup {
  const rows = [
    row('Task', state.task),
    row('Status', state.status),
    row('Opened', `${time(state.openedAt)} by ${state.openedBy}`),
    row('Last change', `${time(state.updatedAt)} by ${state.updatedBy}`),
    row('Head', `entry ${state.seq}, ${state.head}`),
    row('This report', time(now)),
  ];
  return html`<h1>${shown(state.terms.title)}</h1>
    <table>
      ${rows}
    </table> `;
}

function contractPart(contract: StandingContract): Markup {
  const {
    goal,
    acceptance = [],
    constraints = [],
    nonGoals = [],
    protectedPaths = [],
    validation = [],
  } = contract;
  return html`<h2>Contract</h2>
    ${pre(goal)} ${listed('Acceptance', acceptance)} ${listed('Constraints', constraints)}
    ${listed('Not part of it', nonGoals)} ${listed('Protected paths', protectedPaths)}
    ${listed(
      'Validation',
      validation.map(({ run }) => run.join(' ')),
    )}
    ${listed(addedTitle, addedLines(contract))} `;
}

function verificationPart({ entries, blobs, signatures, faults }: Verification): Markup {
  const { valid, foreign, unsigned } = signatures;
  const found =
    faults.length === 0
      ? html`<p>No faults.</p>`
      : html`<p class="bad">${counted(faults.length, 'fault')}.</p>`;
  return html`<h2>Verification</h2>
    <p>
      ${counted(entries, 'entry', 'entries')} and ${counted(blobs, 'blob')} checked. Signatures: ${valid}
      valid (${foreign} by keys not known here), ${unsigned} unsigned.
    </p>
    ${found}
    ${listed(
      'Faults',
      faults.map(({ text }) => text),
    )} `;
}

function legsPart(legs: readonly TimelineLeg[]): Markup {
  return html`<h2>Legs</h2>
    <table>
      <tr>
        <th>Generation</th>
        <th>Holder</th>
        <th>Lane</th>
        <th>From</th>
        <th>Until</th>
        <th>Ended</th>
      </tr>
      ${legs.map(
        ({ generation, agent, lane, from, until, ended, why }) =>
          html`<tr>
            <td>${generation}</td>
            <td>${shown(agent)}</td>
            <td>${lane}</td>
            <td>${time(from)}</td>
            <td>${until === null ? '' : time(until)}</td>
            <td>${shown([ended, why].filter((part) => part !== null).join(': '))}</td>
          </tr>`,
      )}
    </table> `;
}

async function* packetParts(context: Context, state: TaskState, packet: Packet): AsyncGenerator<string> {
  const { claims, artefacts, facts, trigger, from, at } = packet;
  const { decisions = [], failed = [], questions = [] } = claims;
  yield html`<h2>Latest packet</h2>
    <table>
      ${[
        row('Digest', state.packet ?? ''),
        row('Sealed', `${time(at)} by ${from.name} (${trigger})`),
        row('Gate', state.sealed === null ? '' : readiness(state.sealed.certification)),
      ]}
    </table>
    ${listed('Summary', some(claims.summary))} ${listed('Next', some(claims.next))}
    ${listed('Done', (claims.done ?? []).map(claimText))}
    ${listed('Doing', (claims.doing ?? []).map(claimText))}
    ${listed('Remaining', (claims.remaining ?? []).map(claimText))}
    ${listed('Blockers', (claims.blockers ?? []).map(claimText))}
    ${listed(
      'Decisions',
      decisions.map(({ text, why }) => (why === undefined ? text : `${text}: ${why}`)),
    )}
    ${listed(
      'Dead ends',
      failed.map(({ what, why }) => `${what}: ${why}`),
    )}
    ${listed(
      'Questions',
      questions.map(({ text }) => text),
    )}
    ${listed(
      'Artefacts',
      artefacts.map(({ path, why }) => (why === undefined ? path : `${path}: ${why}`)),
    )}
    ${listed('Not carried over', notCarriedLines(packet))} `.text;
  const findings = await readFindings(context, state.sealed?.findings ?? null);
  yield listed(
    'What the gate found',
    findings.map(({ severity, rule, path, text }) => `${severity} ${rule} ${path}: ${text}`),
  ).text;
  if (facts?.diff === undefined) return;
  const diff = Buffer.from(await readBlob(context, facts.diff.blob)).toString('utf8');
  yield html`<h3>Diff, ${counted(facts.diff.added, 'line')} added, ${facts.diff.removed} removed</h3>
    ${pre(diff.slice(0, diffCharsMax))}
    ${diff.length > diffCharsMax ? html`<p>Shortened.</p>` : new Markup('')} `.text;
}

function stepPart({ ref, source, at, text, reasoning, calls = [], results = [] }: StoryStep): Markup {
  return html`<h3>s${ref} ${source}${at === null ? '' : `, ${time(at)}`}</h3>
    ${text === '' ? new Markup('') : pre(text)} ${folded('reasoning', some(reasoning))}
    ${folded(
      'calls',
      calls.map(({ tool, args, raw }) => `${tool} ${raw ?? JSON.stringify(args)}`),
    )}
    ${folded(
      'results',
      results.map((result) => result.text),
    )} `;
}

function entryPart({ entry, digest, body }: SoundEntry): Markup {
  const { seq, at, by, events } = entry;
  const said = events.flatMap((event) =>
    event.type === 'review-sent-back' ? event.findings.map(findingText) : [],
  );
  return html`<h3>j${seq} ${time(at)} ${shown(by.name)}: ${events.map(({ type }) => type).join(', ')}</h3>
    ${listed('Findings', said)}
    <details>
      <summary><code>${digest}</code></summary>
      ${pre(body)}
    </details> `;
}

function row(name: string, value: string): Markup {
  return html`<tr>
    <th>${name}</th>
    <td>${shown(value)}</td>
  </tr>`;
}

function listed(title: string, texts: readonly string[]): Markup {
  if (texts.length === 0) return new Markup('');
  return html`<h3>${title}</h3>
    <ul>
      ${texts.map((text) => html`<li>${shown(text)}</li>`)}
    </ul>`;
}

function folded(title: string, texts: readonly string[]): Markup {
  if (texts.length === 0) return new Markup('');
  return html`<details>
    <summary>${title}</summary>
    ${texts.map(pre)}
  </details>`;
}

function some(text: string | undefined): readonly string[] {
  return text === undefined ? [] : [text];
}

function pre(text: string): Markup {
  return new Markup(`<pre>${escaped(shown(text))}</pre>`);
}

/** Control, bidirectional and invisible characters could make it look like something else. */
function shown(text: string): string {
  return sanitize(text);
}

function time(ms: number): string {
  return new Date(ms).toISOString();
}

/** A task as a file, over HTTP: what is downloaded can be imported, read, and checked by somebody who trusts nothing here. */
import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { judgeExport } from '../../src/handoff/trust/import.ts';
import { fixedSigner } from '../support/fixed-signer.ts';
import { from } from '../support/exports.ts';
import { ada, eve, stage } from '../support/world.ts';
import { House } from './house.ts';

const nasty = `"><script src=//evil.example/x.js></script><img src=x onerror=alert(1)>'\u202e&`;

/** Nasty in every field that an agent can write. */
async function approved(): Promise<{ house: House; task: string; token: string }> {
  const house = new House(stage({ signer: fixedSigner }));
  const { staffetta } = house.at;
  const contract = {
    title: `Fence ${nasty.replace('\u202e', '')}`,
    goal: nasty,
    acceptance: [nasty],
    review: { human: true },
  };
  const leg = await staffetta.begin(contract, { as: ada });
  await leg.note(nasty);
  await leg.decide(nasty, { why: nasty });
  await leg.checkpoint({
    claims: {
      done: [nasty],
      next: nasty,
      summary: nasty,
      failed: [{ what: nasty, why: nasty }],
      questions: [{ text: nasty }],
    },
    artefacts: [{ path: 'a<b>&.md', why: nasty }],
    transcript: JSON.stringify([{ role: 'user', content: nasty }]),
  });
  const { state } = await leg.submit({});
  await staffetta.review(leg.task, { approve: true, packet: state.packet, why: nasty }, { as: eve });
  return { house, task: leg.task, token: await house.token(eve) };
}

describe('exports', () => {
  test('the bundle is what import reads, with its signatures, and signed by the one that asked for it', async () => {
    const { house, task, token } = await approved();
    const answer = await house.raw(`/api/tasks/${task}/export`, { token });
    expect(answer.headers.get('content-disposition')).toBe(`attachment; filename="${task}.staffetta"`);
    const judged = await judgeExport(from(new Uint8Array(await answer.arrayBuffer())));
    expect(judged.signatures).toEqual({ valid: 3, unsigned: 0 });
    expect(judged.sealed?.by).toEqual({ kind: eve.kind, name: eve.name });
    const envelopes = await (await house.raw(`/api/tasks/${task}/envelopes`, { token })).text();
    expect(envelopes.trimEnd().split('\n')).toHaveLength(3);
  });

  test('the history is given as ATIF and as a page', async () => {
    const { house, task, token } = await approved();
    const atif = await house.ask(`/api/tasks/${task}/history.atif.json`, { token });
    expect(atif.json).toMatchObject({ schema_version: expect.stringContaining('ATIF') });
    const page = await house.ask(`/api/tasks/${task}/history.md`, { token });
    expect(page.headers.get('content-type')).toBe('text/plain; charset=utf-8');
    expect(page.text).toContain('evil.example');
  });

  test('they need a token, and one for the task', async () => {
    const { house, task } = await approved();
    const other = await house.at.staffetta.open({ goal: 'Another.' }, { as: ada });
    const bound = await house.token(eve, { task: other.task });
    for (const what of ['export', 'envelopes', 'journal', 'report.html', 'history.md', 'history.atif.json']) {
      expect((await house.ask(`/api/tasks/${task}/${what}`)).status).toBe(401);
      expect((await house.ask(`/api/tasks/${task}/${what}`, { token: bound })).status).toBe(403);
    }
  });
});

describe('the report', () => {
  test('has no script, no request and no markup of anybody else', async () => {
    const { house, task, token } = await approved();
    const { text, headers } = await house.ask(`/api/tasks/${task}/report.html`, { token });
    const tags = new Set([...text.matchAll(/<\/?([a-z0-9]+)/gi)].map((match) => match[1] ?? ''));
    expect([...tags].toSorted()).toEqual([
      'body',
      'code',
      'details',
      'h1',
      'h2',
      'h3',
      'head',
      'html',
      'li',
      'meta',
      'p',
      'pre',
      'style',
      'summary',
      'table',
      'td',
      'th',
      'title',
      'tr',
      'ul',
    ]);
    expect(text).not.toMatch(/<[^>]*\s(?:src|href|on\w+|srcset|style)=/i);
    expect(text).not.toContain('\u202e');
    expect(text).toContain('&lt;script src=//evil.example/x.js&gt;');
    for (const part of [
      'Contract',
      'Verification',
      'Legs',
      'Latest packet',
      'History of reasoning',
      'Journal',
    ])
      expect(text).toContain(`<h2>${part}</h2>`);
    expect(text.endsWith('</body></html>\n')).toBe(true);
    expect(headers.get('content-security-policy')).toContain('sandbox');
  });

  test('is one document from its beginning to its end', async () => {
    const { house, task, token } = await approved();
    const { text } = await house.ask(`/api/tasks/${task}/report.html`, { token });
    for (const tag of ['html', 'head', 'body'])
      for (const one of [`<${tag}\\b`, `</${tag}>`]) expect(text.match(new RegExp(one, 'g'))).toHaveLength(1);
    expect(text.trimEnd().endsWith('</body></html>')).toBe(true);
  });

  test('allows itself exactly its own style', async () => {
    const { house, task, token } = await approved();
    const { text } = await house.ask(`/api/tasks/${task}/report.html`, { token });
    const style = /<style>([\s\S]*?)<\/style>/.exec(text)?.[1] ?? '';
    const policy = /http-equiv="Content-Security-Policy" content="([^"]*)"/.exec(text)?.[1] ?? '';
    const hash = createHash('sha256').update(style).digest('base64');
    expect(policy.replaceAll('&#39;', "'")).toBe(
      `default-src 'none'; style-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'`,
    );
  });
});

interface Head {
  readonly head: { readonly seq: number; readonly digest: string };
  readonly domain: string;
  readonly payloadType: string;
}
interface Line {
  readonly seq: number;
  readonly digest: string;
  readonly body: string;
  readonly signed: readonly {
    readonly statement: string;
    readonly signature: string;
    readonly publicKey: string;
    readonly key: string;
  }[];
}

function bytes(said: string): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(said);
}

function base64(said: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(said), (char) => char.charCodeAt(0));
}

async function digestOf(data: Uint8Array<ArrayBuffer>): Promise<string> {
  return `sha256:${Buffer.from(await crypto.subtle.digest('SHA-256', data)).toString('hex')}`;
}

/** As docs/server.md says, with nothing but what a browser has. */
async function checked(text: string): Promise<{ entries: number; signatures: number; faults: string[] }> {
  const [first = '', ...rest] = text.trimEnd().split('\n');
  const { head, domain, payloadType } = JSON.parse(first) as Head;
  const faults: string[] = [];
  let prev: string | null = null;
  let signatures = 0;
  for (const [place, line] of rest.entries()) {
    const { seq, digest, body, signed } = JSON.parse(line) as Line;
    const entry = JSON.parse(body) as { seq: number; prev: string | null };
    if (seq !== place || entry.seq !== place) faults.push(`${place}: seq`);
    if ((await digestOf(bytes(domain + body))) !== digest) faults.push(`${place}: digest`);
    if (entry.prev !== prev) faults.push(`${place}: prev`);
    for (const { statement, signature, publicKey, key: name } of signed) {
      const key = await crypto.subtle.importKey('spki', base64(publicKey), 'Ed25519', false, ['verify']);
      const said = `DSSEv1 ${bytes(payloadType).length} ${payloadType} ${bytes(statement).length} ${statement}`;
      const fits = await crypto.subtle.verify('Ed25519', key, base64(signature), bytes(said));
      if (!fits || (await digestOf(base64(publicKey))) !== name || !body.includes(signature))
        faults.push(`${place}: signature`);
      if (!statement.includes((prev ?? '').slice(7))) faults.push(`${place}: statement`);
      signatures += 1;
    }
    prev = digest;
  }
  if (head.seq !== rest.length - 1 || head.digest !== prev) faults.push('head');
  return { entries: rest.length, signatures, faults };
}

describe('the journal for a browser', () => {
  test('the chain and the signatures are computed again from what is given', async () => {
    const { house, task, token } = await approved();
    const text = await (await house.raw(`/api/tasks/${task}/journal`, { token })).text();
    expect(await checked(text)).toEqual({ entries: 6, signatures: 3, faults: [] });
    const altered = text.replace('evil.example', 'good.example');
    expect((await checked(altered)).faults).not.toEqual([]);
  });

  test('an entry that is damaged is given out as it is', async () => {
    const { house, task, token } = await approved();
    const kept = house.at.world.tasks.get(task as never);
    const entry = kept?.entries[1];
    if (kept === undefined || entry === undefined) throw new Error('there is no entry');
    kept.entries[1] = { ...entry, body: entry.body.replace('note', 'nope') };
    const text = await (await house.raw(`/api/tasks/${task}/journal`, { token })).text();
    expect((await checked(text)).faults).toContain('1: digest');
  });
});

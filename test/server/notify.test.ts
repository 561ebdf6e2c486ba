/** A person who asked to be told is told, once, and nothing waits for it. */
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Alert } from '../../src/handoff/views/alerts.ts';
import { channelFrom } from '../../src/server/channels.ts';
import { Notifier, type Channel } from '../../src/server/notify.ts';
import { ada, bea, eve, quiet, stage, type Stage } from '../support/world.ts';

interface Watched {
  readonly told: Alert[];
  readonly failed: string[];
  readonly notifier: Notifier;
  readonly look: () => Promise<void>;
}

async function watched(at: Stage, send?: Channel['send']): Promise<Watched> {
  const told: Alert[] = [];
  const failed: string[] = [];
  const notifier = new Notifier(at.context, {
    channels: [{ name: 'ear', send: send ?? (async (alert) => void told.push(alert)) }],
    onFailed: ({ id }, channel, error) => failed.push(`${channel} ${id}: ${(error as Error).message}`),
    lookMs: 10,
  });
  void notifier.run();
  const look = async (): Promise<void> => {
    for (let n = 0; n < 3; n += 1) {
      while (at.clock.sleepers === 0) await quiet();
      await at.clock.advance(10);
      for (let m = 0; m < 20; m += 1) await quiet();
    }
  };
  await look();
  return { told, failed, notifier, look };
}

describe('what is told', () => {
  test('work that waits for a person, once, and nothing from before', async () => {
    const at = stage();
    const before = await at.staffetta.begin({ goal: 'Old.', review: { human: true } }, { as: ada });
    await before.submit({});
    const { told, notifier, look } = await watched(at);
    const leg = await at.staffetta.begin(
      { title: 'Fence', goal: 'Oak.', review: { human: true } },
      { as: ada },
    );
    await leg.note('nothing to tell');
    await leg.ask('How high?', { owner: 'agent:bea' });
    await look();
    await leg.submit({});
    await look();
    await look();
    notifier.close();
    expect(
      told.map(({ kind, task, status, why, command }) => ({ kind, task, status, why, command })),
    ).toEqual([
      {
        kind: 'needs-human',
        task: leg.task,
        status: 'submitted',
        why: 'It was submitted and waits for a verdict.',
        command: `staffetta review ${leg.task}`,
      },
    ]);
  });

  test('a question that nobody else was named for, and an escalation', async () => {
    const at = stage();
    const { told, notifier, look } = await watched(at);
    const leg = await at.staffetta.begin({ title: 'Fence', goal: 'Oak.' }, { as: ada });
    await leg.ask('Left or right?');
    await leg.note('the question still waits');
    await leg.ask('Oak or elm?');
    await at.staffetta.answer(leg.task, { decision: 2, answer: 'oak' }, { as: eve });
    await look();
    await at.staffetta.escalate(leg.task, 'Two owners disagree.', { as: eve });
    await look();
    notifier.close();
    expect(told.map(({ why }) => why)).toEqual([
      'A question waits for an answer: Left or right?',
      'Two owners disagree.',
    ]);
  });

  test('work for an agent to review needs no person', async () => {
    const at = stage();
    const { told, notifier, look } = await watched(at);
    const leg = await at.staffetta.begin({ goal: 'Oak.', review: { owner: 'lane:audit' } }, { as: bea });
    await leg.submit({});
    await look();
    notifier.close();
    expect(told).toEqual([]);
  });

  test('a lease that ended, once, whether anybody records it or not', async () => {
    const at = stage();
    const { told, notifier, look } = await watched(at);
    const leg = await at.staffetta.begin({ goal: 'Oak.' }, { as: ada, leaseMs: 1000 });
    at.clock.set(at.clock.now() + 5000);
    await look();
    await at.staffetta.recover();
    await look();
    notifier.close();
    expect(told.map(({ kind, id, holder }) => ({ kind, id, holder }))).toEqual([
      { kind: 'lease-lapsed', id: `${leg.task}/lapsed/1`, holder: 'ada' },
    ]);
  });
});

describe('a telling that fails', () => {
  test('is tried again, and given up with a word after three times', async () => {
    const at = stage();
    let tries = 0;
    const { failed, notifier } = await watched(at, async () => {
      tries += 1;
      throw new Error('nobody listens');
    });
    const leg = await at.staffetta.begin({ goal: 'Oak.', review: { human: true } }, { as: ada });
    await leg.submit({});
    while (failed.length === 0) {
      await at.clock.advance(60_000);
      await quiet();
    }
    notifier.close();
    expect([tries, failed]).toEqual([3, [`ear ${leg.task}/human/1: nobody listens`]]);
  });

  test('holds up neither the next one nor the end', async () => {
    const at = stage();
    const heard: string[] = [];
    const { notifier, look } = await watched(at, async (alert, signal) => {
      heard.push(alert.title);
      await new Promise((_resolve, reject) =>
        signal.addEventListener('abort', () => reject(new Error('ended'))),
      );
    });
    for (const title of ['One', 'Two']) {
      const leg = await at.staffetta.begin({ title, goal: 'Oak.', review: { human: true } }, { as: ada });
      await leg.submit({});
      await look();
    }
    notifier.close();
    expect(heard).toEqual(['One', 'Two']);
  });
});

const alert: Alert = {
  v: 1,
  kind: 'needs-human',
  task: 't000000000001',
  title: `"; rm -rf $HOME 'x'`,
  status: 'submitted',
  why: 'It waits.',
  holder: null,
  at: 1,
  command: 'staffetta review t000000000001',
  id: 't000000000001/human/1',
};

describe('channels', () => {
  test('what is no channel is refused by name', () => {
    for (const wrong of [
      'mail',
      'command:',
      'webhook:',
      'webhook:file:///etc/passwd',
      'webhook:ftp://x',
      'webhook:no',
    ])
      expect(() => channelFrom(wrong)).toThrow(/no way to notify|http or https/);
  });

  test('a command gets one line of JSON on its input', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'staffetta-notify-'));
    try {
      const file = join(folder, 'said');
      await channelFrom(`command:cat > '${file}'`).send(alert, new AbortController().signal);
      expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual(alert);
      await expect(channelFrom('command:exit 3').send(alert, new AbortController().signal)).rejects.toThrow(
        'ended with 3',
      );
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });

  test('a webhook gets the alert and nothing else, and is not led elsewhere', async () => {
    const asked: { readonly url: string; readonly key: unknown; readonly body: string }[] = [];
    const server = createServer((request, response) => {
      let body = '';
      request.on('data', (part) => (body += String(part)));
      request.on('end', () => {
        asked.push({ url: request.url ?? '', key: request.headers['idempotency-key'], body });
        const status = request.url === '/led' ? 302 : request.url === '/bad' ? 500 : 204;
        response.writeHead(status, { location: '/hook' }).end();
      });
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const { signal } = new AbortController();
    try {
      await channelFrom(`webhook:${base}/hook`).send(alert, signal);
      await expect(channelFrom(`webhook:${base}/led`).send(alert, signal)).rejects.toThrow('fetch failed');
      await expect(channelFrom(`webhook:${base}/bad`).send(alert, signal)).rejects.toThrow('500');
    } finally {
      server.close();
    }
    expect(asked.map(({ url }) => url)).toEqual(['/hook', '/led', '/bad']);
    expect(asked[0]).toMatchObject({ key: alert.id });
    expect(JSON.parse(asked[0]?.body ?? '')).toEqual(alert);
  });
});

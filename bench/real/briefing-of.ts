/**
 * The one place that knows how a briefing is made of a session and how its text is set. Whatever changes there is followed here, and
 * nowhere else in this folder.
 *
 * A session is briefed as `handoff --from` would: captured, searched for secrets, read, and with the contract and the claims that are
 * drafted from it. The workspace is clean, as it is after the last commit.
 */
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { briefing } from '../../src/core/briefing/briefing.ts';
import { digestOf } from '../../src/core/journal/digest.ts';
import type { Packet } from '../../src/core/packet/packet.ts';
import { createRedactor } from '../../src/core/redact/redactor.ts';
import { loadCounter } from '../../src/core/tokens/count.ts';
import { storyOf, type Story } from '../../src/core/transcript/story.ts';
import { sessionDraft } from '../../src/handoff/sessions/draft-session.ts';
import { allRuntimes } from '../../src/runtimes/index.ts';
import { packetOf } from '../../test/support/packet.ts';
import type { Capture } from './captures.ts';

export type Place = Pick<Capture, 'session' | 'path'> & { readonly program: string | null };

export interface Made {
  readonly text: string;
  readonly tokens: number;
}

export { loadCounter as tokenCounter };

/** Loads what is loaded when it is first needed: a limit of time is for sessions. */
export async function warmUp(): Promise<void> {
  await redactor.bytes(Buffer.from('{}\n'));
  (await loadCounter())('one');
}

const redactor = createRedactor({ key: Buffer.alloc(32, 1) });

/** Everything up to the choice of lines is done once; each budget then costs one briefing. */
export async function briefingsOf(place: Place): Promise<(budget: number) => Made> {
  const story = await storyAt(place);
  if (story.steps.length === 0) throw new Error('nothing was read in it');
  const count = await loadCounter();
  const { contract, claims } = sessionDraft(story);
  const packet = packetOf(claims, 'planned', clean);
  const input = {
    of: { task: packet.task },
    contract: { v: 1, title: 'A session', ...contract } as const,
    packet,
    story,
    count,
  };
  return (budget) => briefing({ ...input, budget });
}

async function storyAt({ program, session, path }: Place): Promise<Story> {
  const runtime = allRuntimes({ HOME: dirname(path) }).find(({ name }) => name === program);
  if (runtime === undefined) throw new Error('no reader knows the shape of its records');
  const captured = await runtime.capture({ runtime: runtime.name, id: session, path: wholeCopy(path) });
  const lines: Uint8Array[] = [];
  for await (const record of captured.records) lines.push(record, Buffer.from('\n'));
  const searched = await redactor.bytes(Buffer.concat(lines));
  const records = Buffer.from(searched.value)
    .toString('utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => Buffer.from(line));
  const { omissions, fromStart } = captured.end();
  const part = { runtime: runtime.name, session, before: 0, fromStart, records, omissions };
  return storyOf([part], () => (given) => runtime.read(given));
}

/** As the program kept it: the maker of a capture may have cut off its last line end, and a document has a name of its own. */
function wholeCopy(path: string): string {
  const text = readFileSync(path, 'utf8');
  const isDocument = !/^\s*\{.*\}\s*$/m.test(text.slice(0, text.indexOf('\n') + 1));
  if (text.endsWith('\n') && !isDocument) return path;
  const copy = join(
    mkdtempSync(join(tmpdir(), 'staffetta-real-')),
    isDocument ? 'session.json' : 'session.jsonl',
  );
  writeFileSync(copy, text.endsWith('\n') ? text : `${text}\n`);
  return copy;
}

const clean: Partial<Packet> = {
  facts: {
    workspace: {
      v: 1,
      kind: 'folder',
      root: '/project',
      digest: digestOf('clean'),
      git: null,
      counts: { staged: 0, unstaged: 0, untracked: 0, conflicted: 0 },
      changes: [],
      changesLeft: 0,
      losses: [],
      lossesLeft: 0,
    },
  },
};

/** Whose items are told as words of a user; in the contract, only what is quoted is. */
const usersHeadings: ReadonlySet<string> = new Set([
  'Pending: what a user said last; no agent has answered',
  'What a user said last; the agent answered it below',
  'What users said, in order; later words supersede earlier ones',
]);
const quotingHeading = 'Contract';
const filesHeading = 'Files edited';

const evidence = / \[[a-z]\d+(?: [a-z]\d+)*\]$/;
/** What the tool puts before words of a user: that more was said, and what they answer. */
const label =
  /^(?:The last that could be read, and not all could(?:: |\. ))?(?:The user stopped the agent at this(?:: |\. ))?(?:To “[^]*?”: )?/;
/** A quotation of the contract; one that was cut has no end. */
const quotation = /^(?:- [A-Z][A-Za-z ]*: )?(?:It began with: |Asked “.*”: (?=“))?“(.*?)(?:” \[s\d+\])?$/;

/** The words that a briefing gives as a user's, each as far as it is shown. */
export function saidByUsers(text: string): string[] {
  return parts(text).flatMap(({ heading, body }) => {
    if (heading === quotingHeading)
      return body.split('\n').flatMap((line) => quotation.exec(line.trim())?.[1] ?? []);
    return usersHeadings.has(heading) ? itemsIn(body) : [];
  });
}

/** One path a line: files of a folder stand on one line behind it. */
export function filesTold(text: string): string {
  return parts(text)
    .filter(({ heading }) => heading === filesHeading)
    .flatMap(({ body }) => itemsIn(body))
    .flatMap((item) => {
      const [, folder = '', names = ''] = /^(.*?\/): (.*)$/s.exec(item) ?? [];
      return names.split(', ').map((name) => `${folder.replace(/^\.\//, '')}${name.replace(/ \(.*\)$/, '')}`);
    })
    .join('\n');
}

function itemsIn(body: string): string[] {
  return body
    .split(/^- /m)
    .slice(1)
    .map((item) => (item.split(/\n<\/?data>/)[0] ?? '').trim())
    .map((item) => item.replace(evidence, '').replace(label, ''));
}

function parts(text: string): { readonly heading: string; readonly body: string }[] {
  return text
    .split(/^## /m)
    .slice(1)
    .map((part) => {
      const end = part.indexOf('\n');
      return {
        heading: part.slice(0, end),
        body: part.slice(end + 1).split('\nLeft out for the budget')[0] ?? '',
      };
    });
}

/** Whatever reads text that somebody else wrote, each by a name of its own. A refusal is an answer; only time counts here. */
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { claimFrom, artefactFrom, questionFrom } from '../../src/core/packet/spelled-claims.ts';
import { readContractFile } from '../../src/cli/contract/contract-file.ts';
import { splitCommand } from '../../src/cli/contract/split-command.ts';
import { readArchive } from '../../src/core/archive/archive-read.ts';
import { addressMeant } from '../../src/core/task/address-words.ts';
import { isAlike } from '../../src/core/task/alike.ts';
import { briefing } from '../../src/core/briefing/briefing.ts';
import { parseContract, type Contract } from '../../src/core/contract/contract.ts';
import { readContractMarkdown } from '../../src/core/files/contract-markdown.ts';
import { parseDiff } from '../../src/core/diff/parse.ts';
import { commentFrom, findingFrom } from '../../src/core/task/finding-words.ts';
import { globMatcher } from '../../src/core/base/glob.ts';
import { handoffEdits, unsealedLines, writeHandoff } from '../../src/core/files/handoff-markdown.ts';
import { readHandoff } from '../../src/core/files/handoff-read.ts';
import { limits } from '../../src/core/base/limits.ts';
import { claimsOf } from '../../src/core/gate/claims.ts';
import { gateRules } from '../../src/core/gate/lint.ts';
import type { Subject } from '../../src/core/gate/subject.ts';
import { newLines, noteEvents, progressEvent } from '../../src/core/files/notes.ts';
import { parsePacket } from '../../src/core/packet/packet.ts';
import { pathFault } from '../../src/core/tree/paths.ts';
import { fillIn } from '../../src/core/redact/fill-in.ts';
import { createRedactor } from '../../src/core/redact/redactor.ts';
import { sanitize, sanitizeLine } from '../../src/core/base/sanitize.ts';
import { draftContract } from '../../src/core/reasoning/draft.ts';
import { titleFrom } from '../../src/core/base/text.ts';
import { loadCounter } from '../../src/core/tokens/count.ts';
import { readRecordsByShape } from '../../src/core/formats/shapes/detect.ts';
import type { Story } from '../../src/core/transcript/story.ts';
import { toAiSdk } from '../../src/core/formats/to-ai-sdk.ts';
import { toMarkdown } from '../../src/core/formats/to-markdown.ts';
import { watchedPath } from '../../src/core/contract/watched-paths.ts';
import { eventOf, speaksOfUs } from '../../src/hook/event.ts';
import { commandsAsTools } from '../../src/mcp/words/next-calls.ts';
import { captureSession } from '../../src/runtimes/opencode/capture.ts';
import { saysSpent, saysTooLong } from '../../src/runtimes/limit-words.ts';
import { plainJson } from '../../src/runtimes/settings-file.ts';
import { setMember } from '../../src/setup/edit/json-edit.ts';
import { parseTree } from '../../src/setup/edit/json-tree.ts';
import { markdownMarks, withBlock, withoutBlock } from '../../src/setup/edit/marked-block.ts';
import { parseToml, piecesOf } from '../../src/setup/edit/toml-pieces.ts';
import { heldReason } from '../../src/workspace/restore/held.ts';
import { everyField } from '../support/every-field.ts';
import { storyRead, type RuntimeName } from '../support/read-story.ts';
import { exported, OpencodeDatabase } from '../runtimes/fixtures/opencode/database.ts';
import { sound } from '../lint/fixtures.ts';

export interface HostileReader {
  readonly name: string;
  /** `turn` tells the inputs apart, for a reader that has several places to put one into. */
  readonly read: (text: string, turn: number) => unknown;
  /** The most that can reach it: what comes before it refuses more. */
  readonly charsMax?: number;
}

const contract: Contract = sound.contract;
const count = await loadCounter();
const redactor = createRedactor({ key: Buffer.alloc(32, 7) });

/** Names of fields that hold what somebody said or printed. */
const free = new Set(
  `text content output command message stdout stderr summary description prompt title aggregated_output formatted_output arguments thinking
  reason result display input patch cmd diff error response originalFile oldString newString old_string new_string resultDisplay`.split(
    /\s+/,
  ),
);

/** The same value with the text in the place of the nth of its free texts. */
function spoiled(value: unknown, text: string, place: { left: number }): unknown {
  if (Array.isArray(value)) return value.map((one) => spoiled(one, text, place));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) =>
      typeof one === 'string' && free.has(name)
        ? [name, place.left-- === 0 ? text : one]
        : [name, spoiled(one, text, place)],
    ),
  );
}

function placesIn(value: unknown): number {
  const place = { left: 0 };
  spoiled(value, '', place);
  return -place.left;
}

const fixtures = join(import.meta.dirname, '..', 'runtimes', 'fixtures');

function linesOf(runtime: string, session: string): unknown[] {
  const found = readdirSync(join(fixtures, runtime), { recursive: true, encoding: 'utf8' }).find(
    (path) => path.startsWith(session) && path.endsWith('.jsonl'),
  );
  return readFileSync(join(fixtures, runtime, found ?? ''), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as unknown);
}

async function opencodeRecords(name: string): Promise<unknown[]> {
  const folder = mkdtempSync(join(tmpdir(), 'staffetta-hostile-'));
  const program = new OpencodeDatabase(join(folder, 'opencode.db'));
  try {
    const session = exported(name);
    program.import(session);
    const captured = captureSession({ runtime: 'opencode', id: session.info.id, path: program.path });
    const records: unknown[] = [];
    for await (const record of captured.records)
      records.push(JSON.parse(Buffer.from(record).toString('utf8')));
    return records;
  } finally {
    program.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

const sessions: readonly (readonly [RuntimeName, string, readonly unknown[]])[] = [
  ...['basic', 'failed-command', 'usage-limit'].map(
    (name) => ['claude-code', name, linesOf('claude-code', name)] as const,
  ),
  ...['basic', 'crash-mid-tool'].map((name) => ['codex', name, linesOf('codex', name)] as const),
  ...['basic', 'referenced-file', 'file-edit'].map(
    (name) => ['gemini-cli', name, linesOf('gemini-cli', name)] as const,
  ),
  ['opencode', 'basic', await opencodeRecords('basic')],
  ['opencode', 'file-edit', await opencodeRecords('file-edit')],
];

const shapes: Readonly<Record<string, unknown>> = {
  'AI SDK': [
    { role: 'user', content: 'a' },
    {
      role: 'assistant',
      content: [
        { type: 'text', text: 'a' },
        { type: 'reasoning', text: 'b' },
      ],
    },
  ],
  'OpenAI Agents': [
    { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'a' }] },
    { type: 'function_call', name: 'shell', call_id: 'c', arguments: '{}' },
    { type: 'function_call_output', call_id: 'c', output: 'a' },
  ],
  LangChain: [
    { type: 'human', data: { content: 'a' } },
    { type: 'ai', data: { content: 'a' } },
  ],
  ATIF: {
    schema_version: 'ATIF-v1.7',
    session_id: 's',
    agent: { name: 'a', version: '1' },
    steps: [{ step_id: 1, source: 'user', message: 'a' }],
  },
};

/** What becomes of a session that was read. */
function retold(story: Story): void {
  draftContract(story);
  briefing({ of: { task: 't0123456789ab' }, contract, packet: null, story, count, budget: 4000 });
  toMarkdown(story);
  toAiSdk(story);
}

function asJson(fields: unknown): Buffer {
  return Buffer.from(JSON.stringify(fields));
}

/** A contract file of each kind, on disk as somebody would name it. */
async function fromFile(ending: string, text: string): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'staffetta-hostile-'));
  try {
    const file = join(folder, `contract.${ending}`);
    writeFileSync(file, text);
    await readContractFile(file);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function* inPieces(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text);
}

const header = '{"staffetta":"export","v":1';

/** The text in every place of a packet and its contract where an agent writes one. */
function subjectOf(text: string): Subject {
  const said = [{ text, evidence: [] }];
  return {
    ...sound,
    occasion: 'submit',
    contract: { ...contract, goal: text, acceptance: [text], constraints: [text], nonGoals: [text] },
    packet: {
      ...sound.packet,
      why: text,
      claims: {
        done: said,
        doing: said,
        remaining: said,
        decisions: [{ text, why: text, rejected: [text] }],
        failed: [{ what: text, why: text }],
        blockers: said,
        questions: [{ text }],
        next: text,
        command: text,
        summary: text,
      },
      artefacts: [{ path: 'a', role: text, why: text }],
    },
    parentContract: contract,
  };
}

function reader(name: string, read: HostileReader['read'], charsMax?: number): HostileReader {
  return { name, read, ...(charsMax === undefined ? {} : { charsMax }) };
}

const sessionReaders = sessions.map(([runtime, name, records]) =>
  reader(`a session of ${runtime}: ${name}`, (text, turn) => {
    const place = { left: turn % placesIn(records) };
    retold(
      storyRead(
        runtime,
        records.map((record) => spoiled(record, text, place)),
      ),
    );
  }),
);

const shapeReaders = Object.entries(shapes).map(([name, value]) =>
  reader(`a transcript in the shape of ${name}`, (text, turn) => {
    const place = { left: turn % placesIn(value) };
    readRecordsByShape([asJson(spoiled(value, text, place))]);
    readRecordsByShape([Buffer.from(text)]);
  }),
);

const ruleReaders = gateRules.map((rule) =>
  reader(
    `the rule ${rule.id}`,
    (text) => {
      const subject = subjectOf(text);
      rule.check({ ...subject, claims: claimsOf(subject.packet) });
    },
    limits.textBytesMax,
  ),
);

export const readers: readonly HostileReader[] = [
  ...ruleReaders,
  reader('a contract in Markdown', (text) => {
    readContractMarkdown(text);
    readContractMarkdown(
      `# T\n\n## Goal\n\n${text}\n\n## Acceptance\n\n- ${text}\n\n## Validation\n\n- ${text}\n`,
    );
  }),
  reader('a contract in YAML', async (text) => await fromFile('yaml', `goal: ${text}`)),
  reader('a contract in JSON', async (text) => await fromFile('json', `{"goal": ${text}`)),
  reader('a HANDOFF.md', (text) => {
    readHandoff(text);
    readHandoff(
      `# Handoff\n\n## Done\n\n- ${text}\n  - because: ${text}\n\n## Next\n\n${text}\n\n## Decisions\n\n- a [${text}]\n`,
    );
    handoffEdits(text);
    unsealedLines(text);
  }),
  reader(
    'a HANDOFF.md that is written',
    (text) => writeHandoff({ ...everyField, ...subjectOf(text).packet, v: 1 }, contract, everyField.contract),
    limits.textBytesMax,
  ),
  reader('an archive', async (text) => {
    const read = new Set<string>();
    for (const source of [text, `${text}\n${text}`, `${header},"a":"${text}`])
      for await (const item of readArchive(inPieces(source))) read.add(item.kind);
  }),
  reader('a packet', (text) => parsePacket(asJson({ ...everyField, why: text, claims: { next: text } }))),
  reader('a stored contract', (text) => parseContract(asJson({ ...contract, goal: text }))),
  reader('what a hook is told', (text) => {
    const here = { cwd: '/', env: {} };
    const named = { runtime: 'codex', name: 'Stop', moment: 'turn-end' } as const;
    eventOf(text, named, here);
    const event = eventOf(
      JSON.stringify({ session_id: 's', cwd: text, tool_name: text, tool_input: { command: text } }),
      named,
      here,
    );
    if (typeof event !== 'string') speaksOfUs(event);
  }),
  reader('the redactor', async (text) => await redactor.text(text)),
  reader('the redactor, in JSON', async (text) => await redactor.json({ [text.slice(0, 1000)]: text })),
  reader(
    'the redactor, in a line of JSON',
    async (text) => await redactor.bytes(asJson({ a: text, password: text })),
  ),
  reader('the redactor, in many lines', async (text) => await redactor.text(`a\n${text}\nb: |\n  ${text}\n`)),
  reader('the sanitizer', (text) => [sanitize(text), sanitizeLine(text)]),
  reader('a file with placeholders', (text) => fillIn(Buffer.from(text), Buffer.from(`${text}x`))),
  reader('the counter of tokens', (text) => count(text)),
  reader('a diff', (text) => parseDiff(`diff --git a/a b/a\n--- a/a\n+++ b/a\n@@ -1 +1 @@\n${text}`)),
  reader('a finding', (text) => [findingFrom(text), commentFrom(text)]),
  reader('a note file', (text) => newLines(text, [], { final: true })),
  reader('lines of a note file', (text) => [
    noteEvents('NOTES.md', text.split('\n').slice(0, 500)),
    progressEvent(text),
  ]),
  reader('a claim', (text) => [claimFrom(text), artefactFrom(text), questionFrom(text)]),
  reader('a command line', (text) => splitCommand(text)),
  reader('a hint', (text) => commandsAsTools(text)),
  reader('an address', (text) => addressMeant(text)),
  reader('a title', (text) => titleFrom(text)),
  reader('two names', (text) => isAlike(text, `${text}x`), limits.titleCharsMax),
  reader('a path', (text) => [pathFault(text), heldReason(text)], limits.pathBytesMax),
  reader(
    'a watched path',
    (text) => watchedPath(text, { root: '/a', exists: () => false }),
    limits.pathBytesMax,
  ),
  reader(
    'a glob',
    (text) => {
      globMatcher(text)('a/b/c.ts');
      for (const glob of ['**/', '*', '?', '*a', '**/a', 'a*/', '**'])
        globMatcher(glob.repeat(Math.floor(text.length / glob.length)))(`${'a/'.repeat(500)}b`);
    },
    1000,
  ),
  reader(
    'a path against globs',
    (text) => {
      for (const glob of ['**/**/**/**/x', '*a*a*a*a*x', '**/*a*/**/*b*/**/x', '*/*/*/*x'])
        globMatcher(glob)(text);
    },
    limits.pathBytesMax,
  ),
  reader('words of a vendor', (text) => [saysTooLong(text), saysSpent(text)]),
  reader('settings with comments', (text) => [plainJson(text), plainJson(`{"a": "${text}`)]),
  reader('settings that are edited', (text) => {
    for (const source of [text, `{ ${text}`, `{"a": 1 ${text}`, `{"a": {"b": 1}, ${text} }`])
      setMember(source, ['a', 'c'], 2);
  }),
  reader('settings as a tree', (text) => parseTree(`{ "a": [1, ${text}`)),
  reader('settings in TOML', (text) => {
    const valid = `[a]\nb = ${JSON.stringify(text)}\nc = '''\n${text.replaceAll(/[^ -~\n]|'/g, '.')}'''\n`;
    parseToml(valid);
    piecesOf(valid);
    parseToml(text);
  }),
  reader('a page with a part of ours', (text) =>
    withoutBlock(withBlock(text, ['a'], markdownMarks), markdownMarks),
  ),
  ...shapeReaders,
  ...sessionReaders,
];

import { createHash } from 'node:crypto';
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createRedactor, type Redactor } from '../../src/core/redact/redactor.ts';
import { forms } from '../../test/redaction/forms.ts';
import { kinds, Random } from '../../test/redaction/kinds.ts';
import { aboutSecrets, saidSecrets } from '../../test/redaction/sentences.ts';
import { verdict, type Line, type Section } from '../section.ts';
import { median, millis, quartiles, timed, times } from '../statistics.ts';

const rounds = 9;
const warmUp = 2;
const bytesWanted = 10_000_000;
const rateMin = 5;
const samples = 20;
/** A megabyte, as an expression. */
const lines = "'const answer = 42;\\n'.repeat(50000)";
const root = join(import.meta.dirname, '../..');

/** Searching for secrets what a checkpoint takes: a transcript, sources, and sources full of secrets. */
export async function measureRedaction(): Promise<Section> {
  const redactor = createRedactor({ key: Buffer.alloc(32, 7), values: ['correct-horse-battery-staple'] });
  const source = sourceText();
  const transcript = transcriptOf(source);
  const secrets = withSecrets(source);
  const clean = await rates(redactor, transcript);
  const hashing = await all(async () => void createHash('sha256').update(transcript).digest());
  return {
    title: 'Searching for secrets',
    lines: [
      rateLine('a transcript of 10 MB, JSONL', clean),
      rateLine('the same as a stream', await streamRates(redactor, transcript)),
      rateLine('sources of 10 MB', await rates(redactor, source)),
      rateLine('sources with a secret every 40 lines', await rates(redactor, secrets)),
      {
        measure: 'the transcript, against hashing the same bytes',
        target: '',
        result: times(median(clean) / median(hashing)),
        spread: '',
        verdict: 'for information',
      },
      firstUse('first use in a new process, 1 MB', lines),
      ...(await recall(redactor)),
      ...(await sentences(redactor)),
    ],
    notes: [
      `Wall time in a process that is warm, ${rounds} rounds. The transcript holds files of this repository as answers of tools, so it is full of escapes and of words such as token and password. First use is a new process that loads the redactor and searches 1 MB. Recall: ${kinds.length} kinds of synthetic secrets, ${samples} samples of each; a kind counts if all of them are gone.`,
    ],
  };
}

async function all(run: () => Promise<void>): Promise<number[]> {
  const ms: number[] = [];
  for (let round = -warmUp; round < rounds; round += 1) {
    const taken = await timed(run);
    if (round >= 0) ms.push(taken);
  }
  return ms;
}

async function rates(redactor: Redactor, bytes: Buffer): Promise<number[]> {
  return await all(async () => void (await redactor.bytes(bytes)));
}

async function streamRates(redactor: Redactor, bytes: Buffer): Promise<number[]> {
  const pieces = Array.from({ length: Math.ceil(bytes.length / 65536) }, (_, i) =>
    bytes.subarray(i * 65536, (i + 1) * 65536),
  );
  return await all(async () => {
    for await (const piece of redactor.stream(pieces)) if (piece.length === 0) throw new Error('empty piece');
  });
}

function show(rate: number): string {
  return `${Math.round(rate)} MB/s`;
}

function rateLine(measure: string, ms: readonly number[]): Line {
  const rate = ms.map((taken) => bytesWanted / 1000 / taken);
  return {
    measure,
    target: `≥ ${rateMin} MB/s`,
    result: show(median(rate)),
    spread: quartiles(rate, show),
    verdict: verdict(median(rate) >= rateMin),
  };
}

function firstUseOf(text: string): string {
  return `
    const started = performance.now();
    const { createRedactor } = await import(${JSON.stringify(join(root, 'src/core/redact/redactor.ts'))});
    await createRedactor({ key: Buffer.alloc(32) }).text(${text});
    console.log(performance.now() - started);`;
}

function firstUse(measure: string, text: string): Line {
  const args = ['--input-type=module', '-e', firstUseOf(text)];
  const ms = Array.from({ length: rounds }, () =>
    Number(spawnSync(process.execPath, args, { encoding: 'utf8' }).stdout),
  );
  return {
    measure,
    target: '',
    result: millis(median(ms)),
    spread: quartiles(ms, millis),
    verdict: 'for information',
  };
}

async function recall(redactor: Redactor): Promise<Line[]> {
  const lines: Line[] = [];
  for (const form of forms) {
    const missed: string[] = [];
    for (const kind of kinds) {
      let gone = 0;
      for (let i = 0; i < samples; i += 1) {
        const sample = kind.make(new Random(`${kind.name} ${i}`));
        const { value } = await redactor.text(form.write(sample, kind));
        if (!sample.secrets.some((secret) => form.shows(value, secret))) gone += 1;
      }
      if (gone < samples) missed.push(`${kind.name} ${gone}/${samples}`);
    }
    lines.push({
      measure: `kinds of secrets found, ${form.name}`,
      target: form.required ? `≥ ${kinds.length - 1} of ${kinds.length}` : '',
      result: `${kinds.length - missed.length} of ${kinds.length}`,
      spread: missed.join(', '),
      verdict: form.required ? verdict(missed.length <= 1) : 'for information',
    });
  }
  return lines;
}

/** What people say, and what they say about it. */
async function sentences(redactor: Redactor): Promise<Line[]> {
  const left: string[] = [];
  for (const { words, secret } of saidSecrets)
    if ((await redactor.text(words.replace('SECRET', () => secret))).value.includes(secret)) left.push(words);
  const spoiled: string[] = [];
  for (const words of aboutSecrets) if ((await redactor.text(words)).value !== words) spoiled.push(words);
  return [
    {
      measure: 'secrets found that are said in a sentence, in five languages',
      target: `${saidSecrets.length} of ${saidSecrets.length}`,
      result: `${saidSecrets.length - left.length} of ${saidSecrets.length}`,
      spread: left.join(', '),
      verdict: verdict(left.length === 0),
    },
    {
      measure: 'sentences about secrets that were left alone',
      target: `${aboutSecrets.length} of ${aboutSecrets.length}`,
      result: `${aboutSecrets.length - spoiled.length} of ${aboutSecrets.length}`,
      spread: spoiled.join(', '),
      verdict: verdict(spoiled.length === 0),
    },
  ];
}

export function sourceText(): Buffer {
  const files = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
    // The scanner's own rules are made of what it looks for.
    .filter((file) => file.endsWith('.ts') && !file.includes('redact'))
    .toSorted();
  const text = Buffer.concat(files.map((file) => readFileSync(join(root, 'src', file))));
  return Buffer.concat(Array.from({ length: Math.ceil(bytesWanted / text.length) }, () => text)).subarray(
    0,
    bytesWanted,
  );
}

/** Records as a coding agent writes them, each with some kilobytes of a file. */
export function transcriptOf(source: Buffer): Buffer {
  const lines: string[] = [];
  let bytes = 0;
  for (let at = 0; bytes < bytesWanted; at += 3000) {
    const start = at % (source.length - 3000);
    const id = createHash('sha256').update(String(at)).digest('hex');
    const line = JSON.stringify({
      type: 'user',
      uuid: `${id.slice(0, 8)}-${id.slice(8, 12)}-4${id.slice(13, 16)}-a${id.slice(17, 20)}-${id.slice(20, 32)}`,
      message: {
        role: 'user',
        content: [
          {
            type: 'tool_result',
            tool_use_id: `toolu_${id.slice(0, 24)}`,
            content: source.toString('utf8', start, start + 3000),
          },
        ],
      },
      usage: { input_tokens: at, cache_read_input_tokens: 12_345, output_tokens: 321 },
      timestamp: '2026-01-01T00:00:00.000Z',
    });
    lines.push(line);
    bytes += Buffer.byteLength(line) + 1;
  }
  return Buffer.from(`${lines.join('\n')}\n`).subarray(0, bytesWanted);
}

function withSecrets(source: Buffer): Buffer {
  const lines = source.toString('utf8').split('\n');
  const random = new Random('bench');
  for (let i = 0; i < lines.length; i += 40) {
    const kind = kinds[(i / 40) % kinds.length];
    if (kind !== undefined) lines[i] = `${kind.variable}=${kind.make(random).text}`;
  }
  return Buffer.from(lines.join('\n')).subarray(0, bytesWanted);
}

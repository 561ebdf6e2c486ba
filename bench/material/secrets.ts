/**
 * How well secrets are told from ordinary text: random values of the generators that people use, in the forms in which they write them
 * down; and what is taken out of code that holds none.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createRedactor } from '../../src/core/redact/redactor.ts';
import { generators } from '../../test/redaction/generators.ts';
import { Random } from '../../test/redaction/kinds.ts';
import { writings } from '../../test/redaction/writings.ts';

export interface SecretsRow {
  readonly generator: string;
  readonly form: string;
  readonly tried: number;
  readonly left: number;
}

export interface SecretsOptions {
  readonly seed: string;
  /** How many values of each generator are written in each form. */
  readonly perForm: number;
}

/** A value is left if this many of its characters in a row can still be read. */
const charsTold = 8;

export async function measureSecrets({ seed, perForm }: SecretsOptions): Promise<SecretsRow[]> {
  const redactor = createRedactor({ key: Buffer.alloc(32, 7) });
  const rows: SecretsRow[] = [];
  for (const generator of generators)
    for (const { form, spell, write, isFor, names } of writings) {
      const random = new Random(`${seed} ${generator.name} ${form}`);
      let tried = 0;
      let left = 0;
      for (let i = 0; i < perForm; i += 1) {
        const value = generator.make(random);
        if (isFor?.(value) === false) continue;
        const spelled = spell(value);
        const { value: outcome } = await redactor.text(write(names[i % names.length] ?? '', spelled));
        tried += 1;
        if (shows(outcome, spelled)) left += 1;
      }
      if (tried > 0) rows.push({ generator: generator.name, form, tried, left });
    }
  return rows;
}

function shows(outcome: string, spelled: string): boolean {
  for (let at = 0; at + charsTold <= spelled.length; at += 1)
    if (outcome.includes(spelled.slice(at, at + charsTold))) return true;
  return false;
}

export interface Masked {
  readonly files: number;
  readonly lines: number;
  readonly masked: number;
  /** What was taken, with the text around it. */
  readonly samples: readonly string[];
}

const textFile =
  /\.(?:[cm]?[jt]sx?|py|rb|go|rs|java|kt|cs?|cc|cpp|h|php|pl|pm|sh|sql|md|rst|txt|html|xml|json|ya?ml|toml|ini|cfg|conf|tf|hcl|css|scss|erb|vue)$/;
const fileBytesMax = 4 * 1024 * 1024;
const samplesMax = 400;

export async function measureMasked(folder: string): Promise<Masked> {
  const redactor = createRedactor({ key: Buffer.alloc(32, 7) });
  const samples: string[] = [];
  let files = 0;
  let lines = 0;
  let masked = 0;
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || !textFile.test(entry.name)) continue;
    const path = join(entry.parentPath, entry.name);
    const bytes = readFileSync(path);
    if (bytes.length > fileBytesMax || bytes.subarray(0, 8000).includes(0)) continue;
    files += 1;
    for (const byte of bytes) if (byte === 0x0a) lines += 1;
    const { redactions } = await redactor.bytes(bytes);
    for (const { rule, at, count } of redactions.findings) {
      masked += count;
      const around = bytes.toString('latin1', Math.max(0, at - 60), at + 60).replaceAll('\n', '⏎');
      if (samples.length < samplesMax) samples.push(`${path.slice(folder.length)} ${rule}: ${around}`);
    }
  }
  return { files, lines, masked, samples };
}

/** A contract from a file: YAML or JSON with the fields of a contract, or Markdown with a heading for each. */
import { extname } from 'node:path';
import { readContractMarkdown, type ContractText } from '../core/contract-markdown.ts';
import { StaffettaError } from '../core/error.ts';
import type { ContractInput } from '../handoff/open.ts';
import { defined, reviewFrom } from './contract-values.ts';
import { readText } from './input.ts';
import { splitCommand } from './split-command.ts';

export interface ContractFile {
  readonly contract: Partial<Omit<ContractInput, 'needs'>>;
  /** As written: ids, or beginnings of ids. */
  readonly needs: readonly string[];
}

export async function readContractFile(file: string): Promise<ContractFile> {
  const source = await readText(file);
  const kind = file === '-' ? (/^\s*[{[]/.test(source) ? '.json' : '.md') : extname(file).toLowerCase();
  if (kind === '.md' || kind === '.markdown') return fromMarkdown(readContractMarkdown(source));
  if (kind === '.json')
    return fromFields(
      file,
      parsed(file, 'JSON', () => JSON.parse(source) as unknown),
    );
  if (kind === '.yaml' || kind === '.yml') {
    const { parse } = await import('yaml');
    // Aliases let a few bytes stand for gigabytes; a contract needs none.
    return fromFields(
      file,
      parsed(file, 'YAML', () => parse(source, { maxAliasCount: 0 }) as unknown),
    );
  }
  throw new StaffettaError(
    'invalid-input',
    `${file} is no contract: its name ends in ${kind === '' ? 'nothing' : kind}.`,
    {
      hint: 'Use .yaml, .json or .md.',
    },
  );
}

function parsed(file: string, what: string, read: () => unknown): unknown {
  try {
    return read();
  } catch (cause) {
    throw new StaffettaError(
      'invalid-input',
      `${file} is not ${what}: ${(cause as Error).message.split('\n')[0] ?? ''}`,
      { cause },
    );
  }
}

function fromMarkdown({ validation, review, stop, needs, ...rest }: ContractText): ContractFile {
  const commands = validation?.map((command) => ({ run: splitCommand(command) }));
  return {
    contract: defined({ ...rest, validation: commands, review: reviewFrom(review, stop) }),
    needs: needs ?? [],
  };
}

/** The fields as a contract has them; the contract's own schema checks them. A validation may also be one text. */
function fromFields(file: string, value: unknown): ContractFile {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new StaffettaError(
      'invalid-input',
      `${file} holds no contract: it should have fields such as goal and acceptance.`,
    );
  }
  // `$schema` is for editors.
  const { $schema: _schema, needs, validation, review, v, ...rest } = value as Record<string, unknown>;
  if (v !== undefined && v !== 1)
    throw new StaffettaError(
      'invalid-input',
      `${file} is of version ${JSON.stringify(v)}; this one reads version 1.`,
    );
  const commands = Array.isArray(validation)
    ? validation.map((one: unknown) => (typeof one === 'string' ? { run: splitCommand(one) } : one))
    : validation;
  const reviewer = typeof review === 'string' ? reviewFrom(review, undefined) : review;
  const contract = defined({ ...rest, validation: commands, review: reviewer }) as ContractFile['contract'];
  return { contract, needs: Array.isArray(needs) ? needs.map(String) : [] };
}

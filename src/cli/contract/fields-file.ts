/** Fields from YAML or JSON: no field twice, no aliases, and for each field the line in which it stands. */
import type { Document, LineCounter, Node, Pair } from 'yaml';
import { StaffettaError } from '../../core/base/error.ts';
import type { FieldPath } from '../../core/plan/read-plan.ts';
import { repeatedKey } from './repeated-key.ts';

export interface FieldsFile {
  readonly value: unknown;
  /** Of a field, or of the nearest around it that is there; undefined where the whole is meant. */
  readonly lineOf: (at: FieldPath) => Promise<number | undefined>;
}

/** Undefined for a kind of file that is neither. */
export async function fieldsIn(file: string, kind: string, source: string): Promise<FieldsFile | undefined> {
  let document: Promise<Parsed> | undefined;
  const parse = async (): Promise<Parsed> => await (document ??= parsedYaml(source));
  // JSON is YAML too, and is read as such only where a line is asked for.
  const lineOf = async (at: FieldPath): Promise<number | undefined> => lineIn(await parse(), at);
  if (kind === '.json') {
    const value = parsed(file, 'JSON', () => JSON.parse(source) as unknown);
    const twice = repeatedKey(source);
    if (twice !== undefined)
      throw new StaffettaError(
        'invalid-input',
        `${file === '-' ? 'stdin' : file} names the field ${twice} twice: only one of them would count.`,
        { details: { field: twice }, hint: 'Put both into one.' },
      );
    return { value, lineOf };
  }
  if (kind !== '.yaml' && kind !== '.yml') return undefined;
  const { document: yaml, lines } = await parse();
  const value = parsed(file, 'YAML', () => {
    // What the library would only warn of, such as a tag that it does not know, is not what the author meant.
    const [fault] = [...yaml.errors, ...yaml.warnings];
    if (fault !== undefined) {
      const { line, col } = lines.linePos(fault.pos[0]);
      throw new Error(`${fault.message} at line ${line}, column ${col}`);
    }
    // Aliases let a few bytes stand for gigabytes; nothing here needs any.
    return yaml.toJS({ maxAliasCount: 0 }) as unknown;
  });
  return { value, lineOf };
}

interface Parsed {
  readonly document: Document;
  readonly lines: LineCounter;
}

async function parsedYaml(source: string): Promise<Parsed> {
  const { LineCounter, parseDocument } = await import('yaml');
  const lines = new LineCounter();
  // Thousands of errors, each with its place and the lines around it, take the library minutes; one is told.
  const document = parseDocument(source, { logLevel: 'error', prettyErrors: false, lineCounter: lines });
  return { document, lines };
}

function lineIn({ document, lines }: Parsed, at: FieldPath): number | undefined {
  let node: Node | null = document.contents;
  let start: number | undefined;
  for (const part of at) {
    const items = (node as { readonly items?: readonly unknown[] } | null)?.items ?? [];
    const found = typeof part === 'number' ? items[part] : items.find((item) => keyOf(item) === part);
    if (found === undefined) break;
    const pair = found as Pair<Node, Node | null>;
    node = typeof part === 'number' ? (found as Node) : pair.value;
    start = (typeof part === 'number' ? node : pair.key)?.range?.[0] ?? start;
  }
  return start === undefined ? undefined : lines.linePos(start).line;
}

function keyOf(item: unknown): unknown {
  return (item as { readonly key?: { readonly value?: unknown } | null } | null)?.key?.value;
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

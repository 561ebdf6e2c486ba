/** What the lab has proven, in a few lines: a table for each kind of proof, and in large letters what it could not prove. */
import { runtimeNames, type RuntimeName } from '../../src/ports/runtime.ts';

export interface Proof {
  /** `full history`, `briefing`, … */
  readonly kind: string;
  readonly from: RuntimeName;
  /** None where it is about one program alone. */
  readonly to?: RuntimeName;
  readonly state: 'passed' | 'failed' | 'skipped';
  readonly ms: number;
  /** Why it was skipped. */
  readonly note?: string;
}

/** What a test says of itself before it is tried. */
export type Proven = Pick<Proof, 'kind' | 'from' | 'to'>;

export function reportOf(proofs: readonly Proof[], ms: number): string {
  const kinds = [...new Set(proofs.map(({ kind }) => kind))];
  const summary = kinds.map((kind) => {
    const all = proofs.filter((proof) => proof.kind === kind);
    return `${kind} ${all.filter(({ state }) => state === 'passed').length} of ${all.length}`;
  });
  return [
    ...tables(proofs),
    ...unproven(proofs),
    `Proven: ${summary.join(', ') || 'nothing'}; ${seconds(ms)}`,
  ].join('\n\n');
}

const width = 13;

/** One for each kind that leads from program to program, and one for all that are about a single program. */
function tables(proofs: readonly Proof[]): string[] {
  const kindsOf = (some: readonly Proof[]): string[] => [...new Set(some.map(({ kind }) => kind))];
  const pairs = proofs.filter(({ to }) => to !== undefined);
  const alone = proofs.filter(({ to }) => to === undefined);
  const table = (title: string, names: readonly string[], cell: Cell): string =>
    [
      row(title, runtimeNames),
      ...names.map((name) =>
        row(
          `  ${name}`,
          runtimeNames.map((column) => cellOf(proofs.filter((proof) => cell(proof, name, column)))),
        ),
      ),
    ].join('\n');
  return [
    ...kindsOf(pairs).map((kind) =>
      table(
        kind,
        runtimeNames,
        (proof, from, to) => proof.kind === kind && proof.from === from && proof.to === to,
      ),
    ),
    ...(alone.length === 0
      ? []
      : [table('alone', kindsOf(alone), (proof, kind, name) => proof.kind === kind && proof.from === name)]),
  ];
}

type Cell = (proof: Proof, name: string, column: RuntimeName) => boolean;

function row(name: string, cells: readonly string[]): string {
  return [name.padEnd(width + 2), ...cells.map((cell) => cell.padStart(width))].join('');
}

function cellOf(proofs: readonly Proof[]): string {
  if (proofs.length === 0) return '–';
  if (proofs.some(({ state }) => state === 'failed')) return 'FAILED';
  if (proofs.some(({ state }) => state === 'skipped')) return 'NOT PROVEN';
  return seconds(proofs.reduce((sum, { ms }) => sum + ms, 0));
}

function unproven(proofs: readonly Proof[]): string[] {
  const skipped = proofs.filter(({ state }) => state === 'skipped');
  const notes = [...new Set(skipped.map(({ note }) => note ?? 'nothing says why'))];
  return notes.map((note) => {
    const count = skipped.filter((proof) => (proof.note ?? 'nothing says why') === note).length;
    return `NOT PROVEN  ${count} of ${proofs.length}: ${note}`;
  });
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`;
}

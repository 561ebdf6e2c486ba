/** What the lab has proven, in a few lines: a table for each kind of proof, and in large letters what it could not prove. */
import { runtimeNames, type RuntimeName } from '../../src/ports/runtime.ts';

export interface Proof {
  /** `full history`, `briefing`, … */
  readonly kind: string;
  readonly from: RuntimeName;
  readonly to: RuntimeName;
  readonly state: 'passed' | 'failed' | 'skipped';
  readonly ms: number;
  /** Why it was skipped. */
  readonly note?: string;
}

export function reportOf(proofs: readonly Proof[], ms: number): string {
  const kinds = [...new Set(proofs.map(({ kind }) => kind))];
  const summary = kinds.map((kind) => {
    const all = proofs.filter((proof) => proof.kind === kind);
    return `${kind} ${all.filter(({ state }) => state === 'passed').length} of ${all.length}`;
  });
  return [
    ...kinds.map((kind) =>
      table(
        kind,
        proofs.filter((proof) => proof.kind === kind),
      ),
    ),
    ...unproven(proofs),
    `Proven: ${summary.join(', ') || 'nothing'}; ${seconds(ms)}`,
  ].join('\n\n');
}

const width = 13;

function table(kind: string, proofs: readonly Proof[]): string {
  return [
    row(kind, runtimeNames),
    ...runtimeNames.map((from) =>
      row(
        `  ${from}`,
        runtimeNames.map((to) => cellOf(proofs.filter((each) => each.from === from && each.to === to))),
      ),
    ),
  ].join('\n');
}

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

/** Where the tasks of a run stand in its graph, and the lines between them. Sizes are fixed, so nothing has to be measured. */

export interface GraphRow {
  readonly name: string;
  readonly needs: readonly string[];
}

export interface Laid<R> {
  /** Needs first: a reader who cannot see the lines hears them in an order that makes sense. */
  readonly nodes: readonly { readonly row: R; readonly x: number; readonly y: number }[];
  /** Paths of SVG, each from a need to the task that waits for it. */
  readonly lines: readonly { readonly from: string; readonly to: string; readonly d: string }[];
  readonly width: number;
  readonly height: number;
}

export const node = { width: 204, height: 72 } as const;
const gap = { x: 52, y: 14 } as const;
/** On a narrow page tasks stand below each other, and lines run in a margin beside them. */
const margin = 30;

/** How many tasks stand before each on the longest way to it. */
function depthsOf(rows: readonly GraphRow[]): ReadonlyMap<string, number> {
  const names = new Set(rows.map(({ name }) => name));
  const left = new Map(rows.map((row) => [row.name, knownNeeds(row, names).length]));
  const waiting = new Map<string, string[]>();
  for (const row of rows)
    for (const need of knownNeeds(row, names)) waiting.set(need, [...(waiting.get(need) ?? []), row.name]);
  const depths = new Map<string, number>();
  const ready = rows.filter(({ name }) => left.get(name) === 0).map(({ name }) => name);
  for (const name of ready) depths.set(name, 0);
  for (const name of ready)
    for (const next of waiting.get(name) ?? []) {
      depths.set(next, Math.max(depths.get(next) ?? 0, (depths.get(name) ?? 0) + 1));
      const rest = (left.get(next) ?? 0) - 1;
      left.set(next, rest);
      if (rest === 0) ready.push(next);
    }
  return depths;
}

function knownNeeds({ needs }: GraphRow, names: ReadonlySet<string>): string[] {
  return [...new Set(needs)].filter((need) => names.has(need));
}

export function laidOut<R extends GraphRow>(rows: readonly R[], isNarrow: boolean): Laid<R> {
  const depths = depthsOf(rows);
  const columns: R[][] = [];
  for (const row of rows) (columns[depths.get(row.name) ?? 0] ??= []).push(row);
  const places = new Map<string, { readonly x: number; readonly y: number }>();
  const nodes: { row: R; x: number; y: number }[] = [];
  for (const [column, all] of columns.entries())
    for (const [place, row] of inOrder(all ?? [], places).entries()) {
      const at = isNarrow
        ? { x: margin, y: nodes.length * (node.height + gap.y) }
        : { x: column * (node.width + gap.x), y: place * (node.height + gap.y) };
      places.set(row.name, at);
      nodes.push({ row, ...at });
    }
  const lines = rows.flatMap((row) =>
    [...new Set(row.needs)].flatMap((need) => {
      const from = places.get(need);
      const to = places.get(row.name);
      if (from === undefined || to === undefined) return [];
      return [{ from: need, to: row.name, d: (isNarrow ? besideLine : acrossLine)(from, to) }];
    }),
  );
  const most = Math.max(1, ...columns.map((column) => column?.length ?? 0));
  return {
    nodes,
    lines,
    width: isNarrow ? margin + node.width : columns.length * (node.width + gap.x) - gap.x,
    height: (isNarrow ? nodes.length : most) * (node.height + gap.y) - gap.y,
  };
}

interface At {
  readonly x: number;
  readonly y: number;
}

/** Beside what they need, so that lines seldom cross. */
function inOrder<R extends GraphRow>(rows: readonly R[], places: ReadonlyMap<string, At>): readonly R[] {
  const heightOf = ({ needs }: R): number => {
    const heights = needs.flatMap((need) => places.get(need)?.y ?? []);
    return heights.length === 0 ? 0 : heights.reduce((sum, y) => sum + y, 0) / heights.length;
  };
  return rows.toSorted((a, b) => heightOf(a) - heightOf(b));
}

function acrossLine(from: At, to: At): string {
  const [x1, y1] = [from.x + node.width, from.y + node.height / 2];
  const [x2, y2] = [to.x, to.y + node.height / 2];
  const bend = Math.max(gap.x / 2, (x2 - x1) / 2);
  return `M${x1} ${y1}C${x1 + bend} ${y1} ${x2 - bend} ${y2} ${x2} ${y2}`;
}

function besideLine(from: At, to: At): string {
  const [y1, y2] = [from.y + node.height * 0.65, to.y + node.height * 0.35];
  const far = Math.min(margin - 4, 8 + Math.abs(y2 - y1) / 24);
  return `M${margin} ${y1}C${margin - far * 1.3} ${y1} ${margin - far * 1.3} ${y2} ${margin} ${y2}`;
}

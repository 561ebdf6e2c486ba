/** A change of a text, for people: lines taken out and put in, with a few around them. */
const around = 3;
/** Beyond this the middle is told as one piece: finding the smallest change would take too long. */
const cellsMax = 4_000_000;

export function diffText(path: string, before: string | null, after: string | null): string {
  const old = linesOf(before);
  const now = linesOf(after);
  const steps = stepsOf(old, now);
  const head = [`--- ${before === null ? '/dev/null' : path}`, `+++ ${after === null ? '/dev/null' : path}`];
  return [...head, ...hunksOf(steps)].join('\n');
}

function linesOf(text: string | null): string[] {
  if (text === null || text === '') return [];
  return (text.endsWith('\n') ? text.slice(0, -1) : text).split('\n').map((line) => line.replace(/\r$/, ''));
}

interface Step {
  readonly mark: ' ' | '-' | '+';
  readonly line: string;
}

function stepsOf(old: readonly string[], now: readonly string[]): Step[] {
  let start = 0;
  while (start < old.length && start < now.length && old[start] === now[start]) start += 1;
  let end = 0;
  const shorter = Math.min(old.length, now.length) - start;
  while (end < shorter && old[old.length - 1 - end] === now[now.length - 1 - end]) end += 1;
  return [
    ...old.slice(0, start).map(kept),
    ...middle(old.slice(start, old.length - end), now.slice(start, now.length - end)),
    ...old.slice(old.length - end).map(kept),
  ];
}

function middle(old: readonly string[], now: readonly string[]): Step[] {
  if (old.length * now.length > cellsMax) return [...old.map(out), ...now.map(put)];
  const width = now.length + 1;
  const longest = new Uint32Array((old.length + 1) * width);
  const at = (i: number, j: number): number => longest[i * width + j] ?? 0;
  for (let i = old.length - 1; i >= 0; i -= 1)
    for (let j = now.length - 1; j >= 0; j -= 1)
      longest[i * width + j] =
        old[i] === now[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
  const steps: Step[] = [];
  let i = 0;
  let j = 0;
  while (i < old.length || j < now.length) {
    const [left, right] = [old[i], now[j]];
    if (left !== undefined && left === right) {
      steps.push({ mark: ' ', line: left });
      i += 1;
      j += 1;
    } else if (right !== undefined && (left === undefined || at(i, j + 1) >= at(i + 1, j))) {
      steps.push(put(right));
      j += 1;
    } else {
      steps.push(out(left ?? ''));
      i += 1;
    }
  }
  return steps;
}

function kept(line: string): Step {
  return { mark: ' ', line };
}

function out(line: string): Step {
  return { mark: '-', line };
}

function put(line: string): Step {
  return { mark: '+', line };
}

function hunksOf(steps: readonly Step[]): string[] {
  const near = steps.map((_, index) =>
    steps.slice(Math.max(0, index - around), index + around + 1).some(({ mark }) => mark !== ' '),
  );
  const lines: string[] = [];
  let old = 1;
  for (const [index, { mark, line }] of steps.entries()) {
    if (near[index] === true) {
      if (near[index - 1] !== true) lines.push(`@@ line ${old} @@`);
      lines.push(`${mark}${line}`);
    }
    if (mark !== '+') old += 1;
  }
  return lines;
}

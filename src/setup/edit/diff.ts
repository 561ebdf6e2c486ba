/** A change of a text, for people: lines taken out and put in, with a few around them. */
import { diffArrays } from 'diff';

const around = 3;
/** Beyond this the whole is told as one piece: the time to find the smallest change grows with the square of it. */
const editsMax = 500;

export function changeText(path: string, before: string | null, after: string | null): string {
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
  const found = diffArrays([...old], [...now], { maxEditLength: editsMax });
  const changes = found ?? [
    { removed: true, added: false, value: old },
    { removed: false, added: true, value: now },
  ];
  return changes.flatMap(({ removed, added, value }) =>
    value.map((line): Step => ({ mark: removed ? '-' : added ? '+' : ' ', line })),
  );
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

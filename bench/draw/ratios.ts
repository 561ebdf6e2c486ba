/** Every measure whose target is a ratio, with its spread, on one scale: how far each is from its own target. */
import type { Line } from '../section.ts';
import { line, picture, round, text } from './svg.ts';

export interface Ratio {
  readonly measure: string;
  /** Over its target; 1 is exactly on it, and less is always better. */
  readonly value: number;
  readonly low: number;
  readonly high: number;
  readonly shown: string;
}

/** Read from the table itself, so that the picture cannot say anything else. Undefined where a line is about no ratio. */
export function ratioOf({ measure, target, result, spread }: Line): Ratio | undefined {
  const aim = /^([≤<≥]) ?([\d.]+) ?(×|%)/.exec(target);
  const value = number(result);
  if (aim === null || value === undefined || !result.endsWith(aim[3] ?? '')) return undefined;
  const over = (one: number): number => (aim[1] === '≥' ? Number(aim[2]) / one : one / Number(aim[2]));
  const [low, high] = spread.split('–').map(number);
  const ends = [over(low ?? value), over(high ?? value)].toSorted((a, b) => a - b);
  return {
    measure: measure.replaceAll('`', ''),
    value: over(value),
    low: ends[0] ?? over(value),
    high: ends[1] ?? over(value),
    shown: `${result} (${target})`,
  };
}

function number(words: string | undefined): number | undefined {
  const found = /^([\d.]+) ?(?:×|%)/.exec(words ?? '');
  return found === null ? undefined : Number(found[1]);
}

const rowHeight = 40;
const left = 16;
const right = 704;
const steps = [0.1, 0.25, 0.5, 1, 2, 4];

export function drawRatios(ratios: readonly Ratio[]): string {
  const height = 84 + ratios.length * rowHeight;
  const [first = 0.1] = steps;
  const last = steps.at(-1) ?? 4;
  const xOf = (value: number): number => {
    const within = Math.min(Math.max(value, first), last);
    return left + ((right - left) * Math.log(within / first)) / Math.log(last / first);
  };
  const parts: string[] = [];
  for (const step of steps) {
    const kind = step === 1 ? 'target' : 'line';
    parts.push(line(kind, [xOf(step), 44], [xOf(step), height - 28]));
    const words = step === 1 ? 'target' : `${step}×`;
    parts.push(text({ x: xOf(step), y: height - 10 }, words, 'class="quiet" text-anchor="middle"'));
  }
  for (const [n, { measure, value, low, high, shown }] of ratios.entries()) {
    const y = 62 + n * rowHeight;
    parts.push(
      text({ x: left, y }, measure),
      text({ x: right, y }, shown, 'class="quiet" text-anchor="end"'),
    );
    const kind = value <= 1 ? 'met' : 'missed';
    parts.push(line(kind, [xOf(low), y + 12], [xOf(high), y + 12]));
    parts.push(`<circle class="${kind}" cx="${round(xOf(value))}" cy="${round(y + 12)}" r="4.5"/>`);
  }
  return picture({ width: 720, height }, 'Measured over its target; left is better', parts.join('\n'));
}

import { join } from 'node:path';
import { openStaffetta } from '../../src/index.ts';
import { noise } from '../material/content.ts';
import type { Line, Section } from '../section.ts';
import { median, micros, quartiles, timed } from '../statistics.ts';

const notes = 2000;
const checkpoints = 500;
const offers = 1000;

/** Numbers to know, without a target. */
export async function measureRates(scratch: string): Promise<Section> {
  const relay = await openStaffetta({ gate: 'record', store: join(scratch, 'rates', 'store.db') });
  const leg = await relay.begin({ goal: 'Take notes' }, { as: 'ada' });
  const noted = await each(notes, async () => await leg.note('the limiter comes before auth'));
  const sealed = await each(checkpoints, async () => await leg.checkpoint({ transcript: noise(8192) }));
  for (let n = 0; n < offers; n += 1) await relay.open({ goal: `Task number ${n}` }, { as: 'ada' });
  const taken = await each(offers / 2, async () => await relay.take({ as: 'ben' }));
  await relay.close();
  return {
    title: 'Rates',
    lines: [
      {
        measure: 'notes by one process',
        target: '',
        result: `${Math.round(1000 / median(noted))} a second`,
        spread: quartiles(noted, micros),
        verdict: 'for information',
      },
      time('a checkpoint with 8 KB of transcript', sealed),
      time(`taking the next of ${offers} offers`, taken),
    ],
    notes: [
      'Each of these is durable when it returns. The take finds its offer by hint: one transaction to receive it, one to accept.',
    ],
  };
}

function time(measure: string, ms: readonly number[]): Line {
  return {
    measure,
    target: '',
    result: micros(median(ms)),
    spread: quartiles(ms, micros),
    verdict: 'for information',
  };
}

async function each(count: number, run: () => Promise<unknown>): Promise<number[]> {
  const ms: number[] = [];
  for (let i = 0; i < count; i += 1) ms.push(await timed(run));
  return ms;
}

import { expect, test } from 'vitest';
import { Pages } from './pages.ts';

function numbers(total: { value: number }, size: number) {
  const asked: number[] = [];
  const pages = new Pages<number>(async (from, limit) => {
    asked.push(from);
    const items = Array.from(
      { length: Math.max(0, Math.min(limit, total.value - from)) },
      (_, i) => from + i,
    );
    return { from, items, total: total.value };
  }, size);
  return { pages, asked };
}

test('a page is asked for once, when something of it is looked at', async () => {
  const { pages, asked } = numbers({ value: 25 }, 10);
  expect(pages.at(12)).toBeUndefined();
  expect(pages.at(13)).toBeUndefined();
  await pages.ask(12);
  expect(pages.at(12)).toBe(12);
  expect(pages.total.value).toBe(25);
  expect(asked).toEqual([10]);
});

test('all of it is loaded page after page, unless somebody says stop', async () => {
  const { pages, asked } = numbers({ value: 25 }, 10);
  await pages.all();
  expect([pages.known(0), pages.known(24)]).toEqual([0, 24]);
  expect(asked).toEqual([0, 10, 20]);
  const stopped = numbers({ value: 25 }, 10);
  await stopped.pages.all((loaded) => loaded < 10);
  expect(stopped.asked).toEqual([0]);
});

test('a list that grew asks for its last page again, and keeps the rest', async () => {
  const total = { value: 12 };
  const { pages, asked } = numbers(total, 10);
  await pages.all();
  total.value = 14;
  pages.grow(14);
  await pages.ask(13);
  expect(pages.known(13)).toBe(13);
  expect(asked).toEqual([0, 10, 10]);
});

test('a refusal is kept, and the next look asks again', async () => {
  let fails = true;
  const pages = new Pages<string>(async (from) => {
    if (fails) throw new Error('away');
    return { from, items: ['here'], total: 1 };
  }, 10);
  await pages.ask(0);
  expect(pages.refusal.value?.problem.detail).toContain('away');
  fails = false;
  await pages.ask(0);
  expect([pages.known(0), pages.refusal.value]).toEqual(['here', undefined]);
});

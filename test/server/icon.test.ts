import { expect, test } from 'vitest';
import { newHouse } from './house.ts';

test('a browser that asks for an icon is not refused, whoever it is', async () => {
  const answer = await newHouse().raw('/favicon.ico');
  expect([answer.status, await answer.text()]).toEqual([204, '']);
});

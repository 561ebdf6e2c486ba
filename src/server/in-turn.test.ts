import { expect, test } from 'vitest';
import { InTurn } from './in-turn.ts';

test('one works at a time, and the same question is answered once', async () => {
  const turn = new InTurn();
  const held = Promise.withResolvers<void>();
  let running = 0;
  let most = 0;
  let worked = 0;
  const work = async (): Promise<number> => {
    running += 1;
    most = Math.max(most, running);
    worked += 1;
    await held.promise;
    running -= 1;
    return worked;
  };
  const answers = ['a', 'a', 'b', 'a', 'b'].map(async (key) => await turn.run(key, work));
  held.resolve();
  expect(await Promise.all(answers)).toEqual([1, 1, 2, 1, 2]);
  expect(most).toBe(1);
});

test('what fails is told to those who asked, and not to the next', async () => {
  const turn = new InTurn();
  const failed = turn.run('a', async () => await Promise.reject(new Error('no')));
  const next = turn.run('b', async () => await Promise.resolve('yes'));
  await expect(failed).rejects.toThrow('no');
  expect(await next).toBe('yes');
  expect(await turn.run('a', async () => await Promise.resolve('again'))).toBe('again');
});

test('more than may wait are refused', async () => {
  const turn = new InTurn(2);
  const held = Promise.withResolvers<void>();
  const two = ['a', 'b'].map(async (key) => await turn.run(key, async () => await held.promise));
  await expect(turn.run('c', async () => await Promise.resolve())).rejects.toMatchObject({
    code: 'rate-limited',
  });
  held.resolve();
  await Promise.all(two);
});

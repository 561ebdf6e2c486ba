import { expect, test } from 'vitest';
import { StaffettaError } from '../../core/base/error.ts';
import { translate } from './errors.ts';

test('only a caller that asked for a change is told that nothing was acknowledged', () => {
  for (const [errcode, code] of [
    [13, 'store-full'],
    [10, 'store-io'],
  ] as const) {
    const native = Object.assign(new Error('said by SQLite'), { errcode });
    const [read, written] = [{}, { writing: true }].map((how) => translate(native, '/nowhere/store.db', how));
    expect(read).toMatchObject({ code, hint: expect.not.stringContaining('acknowledged') as string });
    expect(written).toMatchObject({
      code,
      hint: expect.stringContaining('Nothing was acknowledged.') as string,
    });
    expect(read).toBeInstanceOf(StaffettaError);
  }
});

/** An export is signed by the exporter, and what is signed cannot be passed off as something else. */
import { describe, expect, test } from 'vitest';
import { exported, from, joined, partsOf, resealed } from '../../../test/support/exports.ts';
import { fixedSigner, publicKeyOf } from '../../../test/support/fixed-signer.ts';
import { ada, stage, type Stage } from '../../../test/support/world.ts';
import { canonical } from '../../core/journal/canonical.ts';
import { digestOf } from '../../core/journal/digest.ts';
import { exportTask } from '../trust/export.ts';
import { importTask, judgeExport } from '../trust/import.ts';

async function told(note = 'first'): Promise<{ at: Stage; task: string; file: Buffer }> {
  const at = stage({ signer: fixedSigner });
  const leg = await at.staffetta.begin({ goal: 'The fence stands.' }, { as: ada });
  await leg.note(note);
  return { at, task: leg.task, file: await sealed(at, leg.task) };
}

async function sealed({ context }: Stage, task: string): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  const made = await exportTask(context, task as never, ada);
  for await (const piece of made.pieces) parts.push(piece);
  expect(made.sealed()).toEqual({ by: { kind: ada.kind, name: 'ada' }, key: digestOf(publicKeyOf('ada')) });
  return Buffer.concat(parts);
}

async function refusal(bytes: Buffer): Promise<string> {
  return await judgeExport(from(bytes)).then(
    () => 'not refused',
    (error: unknown) => (error as Error).message,
  );
}

describe('a signed export', () => {
  test('says who vouches for it, and whether that key is known here', async () => {
    const { file } = await told();
    const by = { kind: ada.kind, name: 'ada' };
    const key = digestOf(publicKeyOf('ada'));
    const there = await importTask(stage({ signer: fixedSigner }).context, from(file));
    expect(there.sealed).toEqual({ by, key, known: true });
    expect((await importTask(stage().context, from(file))).sealed).toEqual({ by, key, known: false });
  });

  test('is the same for the same task and exporter', async () => {
    const { at, task, file } = await told();
    expect((await sealed(at, task)).equals(file)).toBe(true);
  });

  test('is refused where its records were changed and all digests computed again', async () => {
    const { file } = await told();
    const parts = partsOf(file);
    const other = partsOf((await told('f1rst')).file);
    const seal = parts.at(-1)?.line ?? {};
    const forged = Buffer.concat([resealed(other), Buffer.from(`${canonical(seal)}\n`)]);
    expect(await refusal(forged)).toContain('its signature is about another export');
  });

  test('is refused where its signature or its key was touched, or more follows', async () => {
    const { file } = await told();
    const parts = partsOf(file);
    const seal = parts.at(-1)?.line ?? {};
    const withSeal = (line: Record<string, unknown>): Buffer => joined([...parts.slice(0, -1), { line }]);
    const publicKey = publicKeyOf('bea').toString('base64');
    const [made] = seal['signatures'] as { keyid: string; sig: string }[];
    const notByIt = 'its signature is not by the key that it names';
    expect(await refusal(withSeal({ ...seal, publicKey }))).toContain(notByIt);
    const keyid = digestOf(publicKeyOf('bea'));
    expect(await refusal(withSeal({ ...seal, publicKey, signatures: [{ ...made, keyid }] }))).toContain(
      notByIt,
    );
    expect(await refusal(withSeal({ note: 'x' }))).toContain(
      'something else than a signature follows its end',
    );
    expect(await refusal(Buffer.concat([file, Buffer.from('more\n')]))).toContain(
      'something follows its end',
    );
    expect(await refusal(file.subarray(0, -5))).toContain('it breaks off in its signature');
  });

  test('without its signature is sound, and said to be unsigned', async () => {
    const parts = partsOf((await told()).file);
    expect((await judgeExport(from(joined(parts.slice(0, -1))))).sealed).toBeNull();
  });
});

describe('an export that nobody signs', () => {
  test('is version 1, as before there were signatures, and nothing may follow its end', async () => {
    const at = stage();
    const leg = await at.staffetta.begin({ goal: 'The fence stands.' }, { as: ada });
    const file = await exported(at, leg.task);
    expect(partsOf(file)[0]?.line).toMatchObject({ v: 1 });
    expect((await judgeExport(from(file))).sealed).toBeNull();
    const seal = partsOf((await told()).file).at(-1)?.line ?? {};
    const more = Buffer.concat([file, Buffer.from(`${canonical(seal)}\n`)]);
    expect(await refusal(more)).toContain('something follows its end');
  });
});

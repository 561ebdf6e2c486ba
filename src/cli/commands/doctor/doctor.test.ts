import { describe, expect, test } from 'vitest';
import needed from '../../../../bin/needed.cjs';
import { nodeFinding } from './doctor.ts';
import { exitFor, type DoctorFinding } from './doctor-finding.ts';
import { diskWords } from './doctor-place.ts';
import { contractFinding } from './doctor-proof.ts';

describe('the Node', () => {
  test('that carries the SQLite needed will do', async () => {
    const found = await nodeFinding({ node: '24.15.0', sqlite: needed.sqlite });
    expect(found).toMatchObject({ check: 'node', status: 'ok' });
    expect(found.text).toContain(`Node 24.15.0, SQLite ${needed.sqlite}`);
  });

  test('that carries an older one says what it makes and what it refuses', async () => {
    const found = await nodeFinding({ node: '22.18.0', sqlite: '3.50.2' });
    expect(found).toMatchObject({ check: 'node', status: 'ok' });
    expect(found.text).toMatch(/SQLite 3\.50\.2; .* a new store gets a rollback journal/);
  });

  test('that is too old will not do, and the finding says which would', async () => {
    const found = await nodeFinding({ node: '23.11.0', sqlite: '3.53.4' });
    expect(found).toMatchObject({ check: 'node', status: 'wrong', code: 'store-unsupported' });
    for (const carrier of needed.carriers) expect(found.text).toContain(carrier);
  });
});

describe('the disk', () => {
  const sound = { free: 1e9, type: 0xef53, platform: 'linux' };

  test('with room will do', () => {
    expect(diskWords('/d', sound)).toMatchObject({ status: 'ok', text: '1.0 GB free at /d' });
  });

  test('with hardly any room is named', () => {
    expect(diskWords('/d', { ...sound, free: 1_000_000 })).toMatchObject({
      status: 'wrong',
      code: 'store-full',
      text: 'Only 1.0 MB free at /d.',
    });
  });

  test.each([
    [0x6969, 'NFS'],
    [0xff534d42, 'CIFS'],
    [0xfe534d42, 'SMB'],
  ])('of kind %i is a network file system: %s', (type, name) => {
    const found = diskWords('/d', { ...sound, type });
    expect(found).toMatchObject({ status: 'wrong', code: 'store-unsupported' });
    expect(found.text).toContain(name);
  });

  test('is not taken for a network file system by the number of another system', () => {
    expect(diskWords('/d', { ...sound, type: 0x6969, platform: 'darwin' }).status).toBe('ok');
  });
});

describe('the contract', () => {
  const kept = { id: 'JS1', title: 'a', ok: true };

  test('is kept if every case holds', () => {
    expect(contractFinding([kept, kept], '/d')).toEqual({
      check: 'contract',
      status: 'ok',
      text: '2 of 2 cases hold on scratch stores in /d',
    });
  });

  test('counts what could not be tried', () => {
    const untried = { ...kept, ok: false, unproven: 'no way' };
    expect(contractFinding([kept, untried], '/d').text).toBe(
      '1 of 2 cases hold on scratch stores in /d; 1 could not be tried',
    );
  });

  test('one cause is told once, however many cases it breaks', () => {
    const broken = ['JS1', 'JS2', 'JS2', 'JS3', 'JS4'].map((id, i) => ({
      id,
      title: id,
      ok: false,
      error: `EACCES: permission denied, mkdtemp '/d/.staffetta-doctor-x${i}/.conformance-y${i}'`,
    }));
    const { status, text } = contractFinding([kept, ...broken], '/d');
    expect(status).toBe('wrong');
    expect(text.match(/EACCES/g)).toHaveLength(1);
    expect(text).toContain('5 cases (JS1, JS2, JS3 and 1 more): EACCES');
  });

  test('of many causes the first ones are told and the others counted', () => {
    const broken = Array.from({ length: 9 }, (_, i) => ({ ...kept, ok: false, error: `cause ${i}` }));
    const { text } = contractFinding(broken, '/d');
    expect(text).toContain('cause 3');
    expect(text).not.toContain('cause 4');
    expect(text).toMatch(/and 5 other reasons$/);
  });
});

describe('the exit code', () => {
  const ok: DoctorFinding = { check: 'node', status: 'ok', text: '' };
  const missing: DoctorFinding = { check: 'store', status: 'wrong', text: '', code: 'store-missing' };
  const open: DoctorFinding = { check: 'permissions', status: 'wrong', text: '' };
  const damaged: DoctorFinding = { check: 'storage', status: 'wrong', text: '', code: 'corrupt' };
  const untried: DoctorFinding = { check: 'contract', status: 'untried', text: '' };

  test.each([
    ['nothing wrong', [ok, untried], 0],
    ['only a place that is not there', [ok, missing, untried], 3],
    ['something that does not work', [ok, missing, open], 1],
    ['damage, whatever else there is', [open, damaged, missing], 9],
  ] as const)('%s', (_, findings, code) => {
    expect(exitFor(findings)).toBe(code);
  });
});

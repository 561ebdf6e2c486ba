/** What Terraform makes of infra/aws, offline: STAFFETTA_TF_PLUGINS names a folder with the AWS provider, laid out as a mirror. */
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { queueUrl } from '../../src/stores/s3/bell.ts';
import { notProven } from '../faults/not-proven.ts';

const infra = join(import.meta.dirname, '../../infra/aws');
const folder = mkdtempSync(join(tmpdir(), 'staffetta-infra-'));
const plugins = process.env['STAFFETTA_TF_PLUGINS'] ?? '';
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function terraform(...args: readonly string[]): { readonly status: number | null; readonly said: string } {
  const { TF_CLI_CONFIG_FILE: _, ...env } = process.env;
  const ran = spawnSync('terraform', args, { cwd: folder, env, encoding: 'utf8' });
  return { status: ran.status, said: `${ran.stdout}${ran.stderr}` };
}

const isHere = terraform('version').status === 0;

test('queues have the names that the bell looks for', () => {
  const text = readFileSync(join(infra, 'main.tf'), 'utf8');
  for (const to of ['in', 'lane:plan', 'agent:ada'] as const) {
    const name = queueUrl('${var.name}', to);
    const wanted = to === 'in' ? name : name.replace(/-(?:lane-plan|agent-ada)/, '-${each.key}');
    expect(text).toContain(`"${wanted}"`);
  }
  expect(text).toContain('"lane-${lane}"');
  expect(text).toContain('"agent-${agent}"');
});

test('is formatted, valid, and plans what it should', () => {
  if (!isHere) notProven('infra/aws is valid', 'terraform is not installed');
  else if (plugins === '')
    notProven('infra/aws is valid and plans what it should', 'STAFFETTA_TF_PLUGINS names no provider');
  const steps = [
    ['fmt', '-check', '-recursive'],
    ...(plugins === '' ? [] : [['init', '-backend=false', `-plugin-dir=${plugins}`], ['validate'], ['test']]),
  ];
  cpSync(infra, folder, { recursive: true });
  const failed = (isHere ? steps : []).map((step) => terraform(...step)).filter(({ status }) => status !== 0);
  expect(failed).toEqual([]);
}, 180_000);

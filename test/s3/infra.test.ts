/** What Terraform makes of infra/aws, offline: STAFFETTA_TF_PLUGINS names a folder with the AWS provider, laid out as a mirror. */
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
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

const services = [
  's3',
  'sqs',
  'iam',
  'kms',
  'sts',
  'lambda',
  'cloudwatch',
  'cloudwatchlogs',
  'cloudwatchevents',
];
const moto = process.env['STAFFETTA_MOTO'] ?? '';

/** Takes minutes: `python3 -m moto.server -p 5099` and STAFFETTA_MOTO=http://127.0.0.1:5099 for it. */
test('is applied as a whole at moto, and says where the store is', () => {
  if (moto === '' || plugins === '') {
    notProven('infra/aws can be applied', 'STAFFETTA_MOTO or STAFFETTA_TF_PLUGINS is not set');
    return;
  }
  const place = join(folder, 'applied');
  cpSync(infra, place, { recursive: true });
  const endpoints = services.map((service) => `    ${service} = "${moto}"`).join('\n');
  writeFileSync(
    join(place, 'moto.tf'),
    `provider "aws" {
  region                      = "us-east-1"
  access_key                  = "test"
  secret_key                  = "test"
  skip_credentials_validation = true
  skip_metadata_api_check     = true
  s3_use_path_style           = true
  endpoints {
${endpoints}
  }
}
`,
  );
  const at = `-chdir=${place}`;
  const apply = ['apply', '-auto-approve', '-no-color', '-var', 'name=acme', '-var', 'agents=["code"]'];
  for (const step of [['init', '-backend=false', `-plugin-dir=${plugins}`], apply])
    expect(terraform(at, ...step)).toMatchObject({ status: 0 });
  expect(terraform(at, 'output', '-raw', 'store').said).toMatch(
    /^aws:\/\/acme-[0-9]+\/relay\?region=us-east-1&queue=https/,
  );
}, 900_000);

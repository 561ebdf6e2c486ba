/** Tokens of services, each known by a prefix of its own. As in kinds.ts they are made of pieces, so that nothing here is one. */
import { describe, expect, test } from 'vitest';
import { createRedactor } from '../../src/core/redact/redactor.ts';
import { Random } from './kinds.ts';

const redactor = createRedactor({ key: Buffer.alloc(32, 3) });
const hex = '0123456789abcdef';
const upper = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789';
const lower = upper.toLowerCase();
const base62 = upper + 'abcdefghijklmnopqrstuvwxyz';
const url64 = `${base62}-_`;

/** The pieces before the random part, joined without a sign between them; the random part; and maybe more of both. */
type Made = (random: Random) => string;
const of =
  (pieces: string, ...rest: readonly (readonly [number, string] | string)[]): Made =>
  (random) =>
    [
      pieces.replaceAll(' ', ''),
      ...rest.map((one) => (typeof one === 'string' ? one : random.text(...one))),
    ].join('');
const uuid: readonly (readonly [number, string] | string)[] = [
  [8, hex],
  '-',
  [4, hex],
  '-',
  [4, hex],
  '-',
  [4, hex],
  '-',
  [12, hex],
];

const services: readonly (readonly [name: string, rule: string, make: Made])[] = [
  ['Staffetta', 'staffetta-token', of('st f_', [43, url64])],
  ['Airtable', 'airtable-token', of('pa t', [14, base62], '.', [64, hex])],
  ['Supabase', 'supabase-token', of('sb p_', [40, hex])],
  ['Supabase, with a version', 'supabase-token', of('sb p_v0_', [40, hex])],
  ['Supabase project secret', 'supabase-token', of('sb_ secret_', [22, url64], '_', [8, base62])],
  ['Atlassian', 'atlassian-token', of('ATA TT3', [180, url64], '=', [8, upper])],
  ['Bitbucket', 'atlassian-token', of('AT BB', [32, base62])],
  ['Doppler', 'doppler-token', of('dp. pt.', [43, base62])],
  ['Doppler service', 'doppler-token', of('dp. st.dev_eu.', [43, base62])],
  ['New Relic user', 'newrelic-key', of('NR AK-', [27, upper])],
  ['New Relic insert', 'newrelic-key', of('NR II-', [32, url64])],
  ['New Relic licence', 'newrelic-key', of('', [36, hex], 'NR', 'AL')],
  ['Sentry organisation', 'sentry-token', of('sntr ys_', [90, base62], '_', [43, url64])],
  ['Sentry user', 'sentry-token', of('sntr yu_', [64, hex])],
  ['Slack app', 'slack-token', of('xa pp-1-', [10, upper], '-', [12, '0123456789'], '-', [64, hex])],
  ['Stripe restricted', 'stripe-key', of('rk _live_', [24, base62])],
  ['npm', 'npm-token', of('np m_', [36, base62])],
  ['PyPI', 'pypi-token', of('py pi-AgEIcHlwaS5vcmc', [120, url64])],
  ['GitHub', 'github-token', of('gh p_', [36, base62])],
  ['GitHub, fine-grained', 'github-token', of('github _pat_', [22, base62], '_', [59, base62])],
  ['GitLab', 'gitlab-token', of('gl pat-', [20, url64])],
  ['Hugging Face', 'huggingface-token', of('h f_', [34, base62])],
  ['Anthropic', 'anthropic-key', of('sk -ant-api03-', [95, url64])],
  ['OpenAI', 'openai-key', of('sk -proj-', [120, url64])],
  ['xAI', 'xai-key', of('xa i-', [80, base62])],
  ['Google', 'google-api-key', of('AI za', [35, url64])],
  ['DigitalOcean', 'digitalocean-token', of('dop _v1_', [64, hex])],
  ['Shopify', 'shopify-token', of('shp at_', [32, hex])],
  ['SendGrid', 'sendgrid-key', of('S G.', [22, url64], '.', [43, url64])],
  ['Mailgun', 'mailgun-key', of('ke y-', [32, hex])],
  ['Resend', 'resend-key', of('r e_', [8, base62], '_', [24, base62])],
  ['Square', 'square-token', of('EA AA', [60, base62])],
  ['Clojars', 'clojars-token', of('CLOJ ARS_', [60, hex])],
  ['Asana', 'asana-token', of('2 /', [16, '123456789'], '/', [16, '123456789'], ':', [32, hex])],
  ['Linear', 'linear-key', of('lin _api_', [40, base62])],
  ['Linear, by OAuth', 'linear-key', of('lin _oauth_', [64, hex])],
  ['Figma', 'figma-token', of('fig d_', [40, url64])],
  ['Postman', 'postman-key', of('PM AK-', [24, hex], '-', [34, hex])],
  ['Vercel', 'vercel-token', of('vc p_', [56, base62])],
  ['Vercel blobs', 'vercel-token', of('vercel _blob_rw_', [16, base62], '_', [30, base62])],
  ['Netlify', 'netlify-token', of('nf p_', [36, base62])],
  ['Fly', 'fly-token', of('fo 1_', [43, url64])],
  ['Fly macaroon', 'fly-token', of('fm 2_lJPE', [200, base62])],
  ['Cloudflare', 'cloudflare-token', of('cf ut_', [40, base62], [8, hex])],
  ['Cloudflare origin', 'cloudflare-key', of('v1 .0-', [24, hex], '-', [146, hex])],
  ['Notion', 'notion-token', of('nt n_', [46, base62])],
  ['Notion, the old one', 'notion-token', of('sec ret_', [43, base62])],
  ['PlanetScale', 'planetscale-token', of('pscale _tkn_', [43, url64])],
  ['Docker', 'docker-token', of('dckr _oat_', [32, url64])],
  ['Dynatrace', 'dynatrace-token', of('dt0 c01.', [24, upper], '.', [64, upper])],
  ['Grafana', 'grafana-token', of('gl sa_', [32, base62], '_', [8, hex])],
  ['Grafana Cloud', 'grafana-token', of('gl c_eyJ', [80, base62])],
  ['Databricks', 'databricks-token', of('da pi', [32, hex])],
  ['Tailscale', 'tailscale-key', of('ts key-auth-', [12, base62], '-', [32, base62])],
  ['Vault', 'vault-token', of('hv s.', [95, url64])],
  ['Vault, a batch', 'vault-token', of('hv b.', [150, url64])],
  ['Grafana, the old one', 'grafana-token', of('eyJ rIjoi', [80, base62])],
  ['Pulumi', 'pulumi-token', of('pu l-', [40, hex])],
  ['Shippo', 'shippo-token', of('shippo _live_', [40, hex])],
  ['Typeform', 'typeform-token', of('tf p_', [59, url64])],
  ['Sonar', 'sonar-token', of('sq u_', [40, hex])],
  ['ReadMe', 'readme-token', of('rd me_', [70, lower])],
  ['Prefect', 'prefect-key', of('pn u_', [36, lower])],
  ['Scalingo', 'scalingo-token', of('tk -us-', [48, base62])],
  ['Brevo', 'brevo-key', of('xkey sib-', [64, hex], '-', [16, base62])],
  ['Mapbox', 'mapbox-token', of('sk. eyJ', [60, base62], '.', [22, url64])],
  ['EasyPost', 'easypost-key', of('EZ AK', [54, base62])],
  ['Buildkite', 'buildkite-token', of('bk ua_', [40, hex])],
  ['CircleCI', 'circleci-token', of('CCI PAT_', [22, base62], '_', [40, hex])],
  ['Contentful', 'contentful-token', of('CF PAT-', [43, url64])],
  ['HubSpot', 'hubspot-token', of('pat -na1-', ...uuid)],
  ['PostHog', 'posthog-key', of('ph x_', [43, base62])],
  ['Render', 'render-key', of('rn d_', [28, base62])],
  ['Neon', 'neon-key', of('na pi_', [64, lower])],
  ['Aiven', 'aiven-password', of('AV NS_', [19, url64])],
  ['Alibaba', 'alibaba-key-id', of('LT AI', [20, base62])],
  ['Tencent', 'tencent-key-id', of('AK ID', [32, base62])],
  ['Artifactory', 'artifactory-token', of('AK Cp', [69, base62])],
  ['Artifactory reference', 'artifactory-token', of('cmVm dGtu', [56, base62])],
  ['Flutterwave', 'flutterwave-key', of('FLW SECK_TEST-', [32, hex], '-X')],
  ['Duffel', 'duffel-token', of('duffel _live_', [43, url64])],
  ['Frame.io', 'frameio-token', of('fio -u-', [64, url64])],
  ['Sourcegraph', 'sourcegraph-token', of('sg p_', [16, hex], '_', [40, hex])],
  ['Yandex', 'yandex-key', of('AQ VN', [38, url64])],
  ['Zuplo', 'zuplo-key', of('zp ka_', [32, base62], '_', [8, hex])],
  ['Deno', 'deno-token', of('dd p_', [36, base62])],
  ['Adobe', 'adobe-secret', of('p8 e-', [32, base62])],
  ['Amazon', 'amazon-oauth', of('amzn1. oa2-cs.v1.', [64, hex])],
  ['ElevenLabs', 'elevenlabs-key', of('s k_', [48, hex])],
  ['Fireworks', 'fireworks-key', of('f w_', [22, base62])],
  ['Together', 'together-key', of('tgp _v1_', [43, url64])],
  ['Cerebras', 'cerebras-key', of('cs k-', [48, lower])],
  ['LangSmith', 'langsmith-key', of('lsv2 _pt_', [32, hex], '_', [10, hex])],
  ['Langfuse', 'langfuse-key', of('sk -lf-', ...uuid)],
  ['Tavily', 'tavily-key', of('tv ly-dev-', [32, base62])],
  ['NVIDIA', 'nvidia-key', of('nv api-', [64, url64])],
  ['Pinecone', 'pinecone-key', of('pc sk_', [6, base62], '_', [60, base62])],
  ['Firecrawl', 'firecrawl-key', of('f c-', [32, hex])],
  ['E2B', 'e2b-key', of('e2 b_', [40, hex])],
];

describe('a token is found whole, by its own rule', () => {
  test.each(services)('%s', async (name, rule, make) => {
    for (let i = 0; i < 10; i += 1) {
      const token = make(new Random(`${name} ${i}`));
      const { value } = await redactor.text(`They gave us ${token}, for now.`);
      expect(value.replace(/:[0-9a-f]{12}\]/, ']')).toBe(`They gave us [redacted:${rule}], for now.`);
      const json = await redactor.text(JSON.stringify({ out: `a\n${token}\n` }));
      expect(json.value.replace(/:[0-9a-f]{12}\]/, ']')).toBe(`{"out":"a\\n[redacted:${rule}]\\n"}`);
    }
  });
});

test.each([
  'GitHub',
  'GitLab',
  'npm',
  'Anthropic',
  'Stripe restricted',
  'Figma',
  'Vault',
  'Vercel',
  'Cloudflare',
])('a number before a token does not hide it: %s', async (wanted) => {
  const [name = '', , make] = services.find(([one]) => one === wanted) ?? [];
  const token = make?.(new Random(name)) ?? '';
  expect((await redactor.text(`12${token}`)).value).not.toContain(token.slice(-12));
});

/** Their prefixes are ordinary words: `cache-key-` and a digest is no token. */
const ordinaryPrefixes: ReadonlySet<string> = new Set([
  'Mailgun',
  'Firecrawl',
  'Pulumi',
  'Notion, the old one',
  'Scalingo',
]);

describe('a token is found in the name of a file or a branch', () => {
  test.each(services.filter(([name]) => !ordinaryPrefixes.has(name)))('%s', async (name, _rule, make) => {
    for (let i = 0; i < 10; i += 1) {
      const token = make(new Random(`${name} ${i}`));
      for (const text of [
        `backup-${token}.txt`,
        `git switch fix_${token}`,
        `see logs/${token}-old`,
        `x_${token}_y`,
      ])
        expect((await redactor.text(text)).value).not.toContain(token.slice(-12));
    }
  });
});

describe('a token of a known length is found with something glued to it', () => {
  const user = Buffer.from('1087654321098765432').toString('base64url');
  test.each<readonly [string, Made]>([
    ['Telegram', of('1234567890:A A', [33, url64])],
    ['Discord', of(`${user}.`, [6, base62], '.', [38, base62])],
    ['Mailgun', of('ke y-', [32, hex])],
  ])('%s', async (name, make) => {
    for (let i = 0; i < 10; i += 1) {
      const token = make(new Random(`${name} ${i}`));
      for (const text of [`${token}_bak`, `my_${token}_old.txt`, `see logs/${token}-old`])
        expect((await redactor.text(text)).value).not.toContain(token.slice(-12));
    }
  });
});

describe('what only begins like one is left', () => {
  test.each(services)('%s', async (name, _rule, make) => {
    const token = make(new Random(name));
    for (const text of [
      `It begins with ${token.slice(0, 7)}, they say.`,
      `const ${token.slice(0, 5).replaceAll(/\W/g, '_')}name_of_the_thing_that_is_long = read(input);`,
      `see docs/${token.slice(0, 4)}reading-list-of-the-year.md for more`,
    ])
      expect((await redactor.text(text)).value).toBe(text);
  });
});

describe('addresses that are secrets', () => {
  const id = 'a1b2c3d4-1111-4111-a111-0123456789ab';
  test.each([
    [
      'Teams',
      `https://acme.webhook.office.com/webhookb2/`,
      `${id}@${id}/IncomingWebhook/${'a1b2c3d4'.repeat(4)}/${id}`,
    ],
    ['Zapier', 'https://hooks.zapier.com/hooks/catch/', '1234567/ab12cd3'],
    ['Terraform', 'aB3dE6gH9jK2mN.atlasv1.', 'aZ3kP9xQ7mB1'.repeat(6)],
    ['PayPal', 'access_token$production$', `ab12cd34ef56gh78$${'a1b2c3d4'.repeat(4)}`],
  ])('%s', async (_what, lead, secret) => {
    const { value } = await redactor.text(`post to ${lead}${secret} now`);
    expect(value.replace(/\[redacted:[a-z-]+:[0-9a-f]{12}\]/, 'X')).toBe(`post to ${lead}X now`);
  });

  test.each([
    'https://acme.webhook.office.com/webhookb2/ is where they begin',
    'https://hooks.zapier.com/hooks/catch/ is where they begin',
    'the mark .atlasv1. stands in the middle',
  ])('but not: %s', async (text) => {
    expect((await redactor.text(text)).value).toBe(text);
  });
});

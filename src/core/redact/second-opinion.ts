/**
 * The rules of secretlint's recommended preset, as a second opinion beside ours: they are kept up by people who follow what services
 * issue. They are asked only about text in which one of their own literals stands, and loaded when that happens first.
 *
 * They are run here and not by @secretlint/core, which obeys `secretlint-disable` comments in the text it scans, needs seconds for
 * a file with thousands of findings, and is asynchronous throughout. Where a rule's own range misses part of its secret, the value
 * it reports is looked up beside it. Four rules are not asked: three judge by a file's name or let a comment switch others off,
 * and of web addresses ours asks more.
 */
import type { Span } from './rule.ts';

export interface Opinion extends Span {
  readonly rule: string;
}

/** Asks the rules named, those of which a literal stands in the text. */
export type SecondOpinion = (text: string, rules: ReadonlySet<string>) => readonly Opinion[];

const idPrefix = '@secretlint/secretlint-rule-';

/** What must stand in a text for a rule to find anything. A test holds this against the rules of the preset. */
export const opinionAnchors: Readonly<Record<string, readonly string[]>> = {
  '1password': ['ops_ey'],
  anthropic: ['sk-ant-api0'],
  aws: ['secret_access_key', 'secretaccesskey', 'secret_accesskey', 'secretaccess_key'],
  cloudflare: ['cfk_', 'cfut_', 'cfat_'],
  databricks: ['dapi'],
  docker: ['dckr_pat_'],
  figma: ['figd_'],
  github: ['ghp_', 'gho_', 'ghu_', 'ghs_', 'ghr_', 'github_pat_'],
  gitlab: ['glpat-'],
  grafana: ['glc_', 'glsa_'],
  groq: ['gsk_'],
  'hashicorp-vault': ['hvs.', 'hvb.', 'hvr.'],
  huggingface: ['hf_'],
  linear: ['lin_api_'],
  notion: ['ntn_'],
  npm: ['npm_', ':x-oauth-basic@github'],
  openai: ['T3BlbkFJ'],
  privatekey: ['PRIVATE KEY'],
  sendgrid: ['SG.'],
  shopify: ['shppa_', 'shpca_', 'shpat_', 'shpss_'],
  slack: ['xoxa-', 'xoxb-', 'xoxo-', 'xoxp-', 'xoxr-', 'xapp-', 'hooks.slack.com/services/'],
  stripe: ['sk_live_', 'sk_test_', 'rk_live_', 'rk_test_'],
  tailscale: ['tskey-'],
  vercel: ['vcp_', 'vci_', 'vca_', 'vcr_', 'vck_'],
};

/** Ours cover these, or they work by a file's name. */
export const opinionsNotAsked: ReadonlySet<string> = new Set([
  'basicauth',
  'database-connection-string',
  'filter-comments',
  'gcp',
]);

interface Report {
  readonly range: readonly [number, number];
  readonly message: { readonly data?: Readonly<Record<string, unknown>> };
}

interface LintRule {
  readonly meta: { readonly id: string };
  create(
    context: {
      readonly sharedOptions: object;
      createTranslator(messages: unknown): (id: string, data?: Readonly<Record<string, unknown>>) => unknown;
      report(report: Report): void;
      ignore(): void;
    },
    options: object,
  ): { file?(source: { readonly content: string; readonly contentType: 'text'; readonly ext: '' }): unknown };
}

export async function loadSecondOpinion(): Promise<SecondOpinion> {
  const preset: { readonly rules: unknown } = await import('@secretlint/secretlint-rule-preset-recommend');
  return secondOpinionOf(preset.rules as readonly LintRule[]);
}

export function secondOpinionOf(presetRules: readonly LintRule[]): SecondOpinion {
  let reports: { readonly rule: string; readonly report: Report }[] = [];
  const check = (id: string, rule: LintRule): ReturnType<LintRule['create']> =>
    rule.create(
      {
        sharedOptions: {},
        createTranslator: () => (messageId, data) => ({ message: '', messageId, data }),
        report: (report) => reports.push({ rule: id, report }),
        ignore: () => undefined,
      },
      {},
    );
  const checks = new Map(
    presetRules
      .map((rule) => ({ rule, id: rule.meta.id.replace(idPrefix, '') }))
      .filter(({ id }) => !opinionsNotAsked.has(id))
      .map(({ rule, id }) => [id, check(id, rule)]),
  );
  return (text, rules) => {
    reports = [];
    // Bytes beyond ASCII would be taken for letters of latin1 and hide a token that stands right after them.
    const content = text.replace(/[\x80-\xff]/g, '\x80');
    for (const id of rules) checks.get(id)?.file?.({ content, contentType: 'text', ext: '' });
    return reports.map(({ rule, report }) => ({ rule, ...rangeOf(content, report) }));
  };
}

/** A range may begin at the name before the secret and be too short by as much; the value itself is reported beside it. */
function rangeOf(text: string, { range, message }: Report): Span {
  const [start, end] = range;
  const near = text.slice(start, end + 256);
  for (const value of Object.values(message.data ?? {})) {
    const at = typeof value === 'string' && value !== '' ? near.indexOf(value) : -1;
    if (at !== -1) return { start: start + at, end: start + at + String(value).length };
  }
  return { start, end };
}

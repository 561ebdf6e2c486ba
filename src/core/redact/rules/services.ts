import { asanaGlance, resendGlance, startGlance } from '../scan/glance.ts';
import { distinct, hasBothCases, isMixed } from '../plausible.ts';
import {
  gluedEnd,
  patternRule,
  prefixStart,
  runEnd,
  runStart,
  wordEnd,
  wordStart,
  type SecretRule,
} from '../rule.ts';

const uuid = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}';

/** Databases, deployment, monitoring, mail and trade: services whose tokens have a prefix of their own. */
export const serviceRules: readonly SecretRule[] = [
  patternRule('supabase-token', ['sbp_'], `${wordStart}sbp_(?:v\\d_)?[0-9a-f]{40}${wordEnd}`),
  patternRule('supabase-token', ['sb_secret_'], `${wordStart}sb_secret_[\\w-]{20,256}`, { accept: isMixed }),
  patternRule('atlassian-token', ['ATATT3', 'ATCTT3'], `${wordStart}AT[AC]TT3[\\w-]{40,}(?:=[0-9A-Z]{8})?`),
  patternRule('atlassian-token', ['ATBB'], `${wordStart}ATBB[A-Za-z0-9]{32}${wordEnd}`, {
    accept: hasBothCases,
  }),
  patternRule(
    'doppler-token',
    ['dp.pt.', 'dp.st.', 'dp.ct.', 'dp.sa.', 'dp.scim.', 'dp.audit.'],
    `${wordStart}dp\\.(?:pt|st|ct|sa|scim|audit)\\.(?:[a-z0-9_-]{2,40}\\.)?[A-Za-z0-9]{40,44}${wordEnd}`,
  ),
  patternRule(
    'newrelic-key',
    ['NRAK-', 'NRII-', 'NRAA-', 'NRIQ-', 'NRRA-', 'NRSP-'],
    `${wordStart}NR(?:AK|II|AA|IQ|RA|SP)-[\\w-]{27,64}`,
    { accept: isMixed },
  ),
  // A licence key ends in its mark.
  endingIn('newrelic-key', 'NRAL', '[0-9a-z]{36}'),
  patternRule('sentry-token', ['sntrys_', 'sntryu_'], `${wordStart}sntry[su]_[\\w+/=-]{40,}`),
  patternRule('linear-key', ['lin_api_', 'lin_oauth_'], `${prefixStart}lin_(?:api|oauth)_[A-Za-z0-9]{32,}`),
  patternRule('postman-key', ['PMAK-'], `${wordStart}PMAK-[0-9a-f]{24}-[0-9a-f]{34}${wordEnd}`),
  patternRule('figma-token', ['figd_'], `${prefixStart}figd_[\\w-]{40,}`),
  patternRule(
    'shopify-token',
    ['shppa_', 'shpca_', 'shpat_', 'shpss_'],
    `${prefixStart}shp(?:pa|ca|at|ss)_[A-Za-z0-9]{32,}`,
  ),
  patternRule('tailscale-key', ['tskey-'], `${prefixStart}tskey-[a-z]{2,20}-\\w{8,40}-\\w{16,}`),
  patternRule('databricks-token', ['dapi'], `${prefixStart}dapi[0-9A-Fa-f]{32}(?:-\\d)?${wordEnd}`, {
    accept: isMixed,
  }),
  patternRule('vault-token', ['hvs.', 'hvb.', 'hvr.'], `${prefixStart}hv[sbr]\\.[\\w-]{90,}`),
  patternRule(
    'vercel-token',
    ['vcp_', 'vci_', 'vca_', 'vcr_', 'vck_'],
    `${prefixStart}vc[piark]_[A-Za-z0-9]{20,60}${wordEnd}`,
    {
      accept: hasBothCases,
    },
  ),
  patternRule('vercel-token', ['vercel_blob_rw_'], `${prefixStart}vercel_blob_rw_\\w{30,}`),
  patternRule(
    'netlify-token',
    ['nfp_', 'nfc_', 'nfu_', 'nfo_', 'nfb_'],
    `${wordStart}nf[pcuob]_[A-Za-z0-9_]{36,256}${wordEnd}`,
    { accept: hasBothCases },
  ),
  patternRule('fly-token', ['fo1_'], `${wordStart}fo1_[\\w-]{40,}`),
  patternRule('fly-token', ['fm1_', 'fm1r_', 'fm2_'], `${wordStart}fm(?:1r?|2)_[A-Za-z0-9+/]{60,}={0,3}`),
  patternRule(
    'cloudflare-token',
    ['cfk_', 'cfut_', 'cfat_'],
    `${prefixStart}cf(?:k|ut|at)_[A-Za-z0-9]{40}[0-9a-f]{8}${wordEnd}`,
  ),
  patternRule('cloudflare-key', ['v1.0-'], `${wordStart}v1\\.0-[0-9a-f]{24}-[0-9a-f]{146}${wordEnd}`),
  patternRule('notion-token', ['ntn_'], `${prefixStart}ntn_[A-Za-z0-9]{40,}`, { accept: isMixed }),
  patternRule('notion-token', ['secret_'], `${runStart}secret_[A-Za-z0-9]{43}${runEnd}`, {
    glance: startGlance,
    accept: hasBothCases,
  }),
  patternRule(
    'planetscale-token',
    ['pscale_tkn_', 'pscale_pw_', 'pscale_oauth_'],
    `${wordStart}pscale_(?:tkn|pw|oauth)_[\\w.-]{30,}`,
  ),
  patternRule('docker-token', ['dckr_pat_', 'dckr_oat_'], `${prefixStart}dckr_[po]at_[\\w-]{24,}`),
  patternRule(
    'dynatrace-token',
    ['dt0c01.', 'dt0s01.', 'dt0s02.', 'dt0s16.', 'dt0e01.'],
    `${wordStart}dt0[a-z]\\d\\d\\.[A-Z0-9]{8,24}\\.[A-Z0-9]{64}${wordEnd}`,
  ),
  patternRule('grafana-token', ['glsa_'], `${prefixStart}glsa_[A-Za-z0-9]{32}_[0-9A-Fa-f]{8}${wordEnd}`),
  patternRule('grafana-token', ['glc_'], `${prefixStart}glc_[A-Za-z0-9+/]{32,}={0,2}`),
  patternRule('grafana-token', ['eyJrIjoi'], `${wordStart}eyJrIjoi[A-Za-z0-9+/]{60,}={0,2}`),
  // What stands before the mark says whose token it is.
  patternRule(
    'terraform-token',
    ['.atlasv1.'],
    '(?<=(?<![A-Za-z0-9])[A-Za-z0-9]{14})(\\.atlasv1\\.)([\\w-]{60,})',
  ),
  patternRule('pulumi-token', ['pul-'], `${runStart}pul-[0-9a-f]{40}${wordEnd}`, { glance: startGlance }),
  patternRule('shippo-token', ['shippo_'], `${wordStart}shippo_(?:live|test)_[0-9a-f]{40}${wordEnd}`),
  patternRule('resend-key', ['re_'], `${wordStart}re_[A-Za-z0-9]{8}_[A-Za-z0-9]{24}${wordEnd}`, {
    glance: resendGlance,
    accept: hasBothCases,
  }),
  // The letters also stand in images and source maps, but there no run has just this length.
  patternRule('square-token', ['EAAA'], `${wordStart}EAAA[\\w-]{60}${gluedEnd}`, {
    accept: (token) => hasBothCases(token) && distinct(token) >= 24,
  }),
  patternRule('clojars-token', ['CLOJARS_'], `${wordStart}CLOJARS_[0-9a-f]{60}${wordEnd}`),
  patternRule(
    'asana-token',
    Array.from('0123456789').flatMap((digit) => [`1/${digit}`, `2/${digit}`]),
    `${wordStart}(?:1/\\d{16}|2/\\d{16}/\\d{16}):[0-9a-f]{32}${wordEnd}`,
    { glance: asanaGlance },
  ),
  patternRule('typeform-token', ['tfp_'], `${wordStart}tfp_[\\w-]{40,256}`, { accept: isMixed }),
  patternRule('sonar-token', ['squ_', 'sqp_', 'sqa_'], `${wordStart}sq[upa]_[0-9a-f]{40}${wordEnd}`),
  patternRule('readme-token', ['rdme_'], `${wordStart}rdme_[a-z0-9]{70}${wordEnd}`),
  patternRule('prefect-key', ['pnu_', 'pnb_'], `${wordStart}pn[ub]_[A-Za-z0-9]{36}${wordEnd}`, {
    accept: isMixed,
  }),
  patternRule('scalingo-token', ['tk-us-'], `${runStart}tk-us-[\\w-]{48,}`),
  patternRule(
    'brevo-key',
    ['xkeysib-', 'xsmtpsib-'],
    `${wordStart}x(?:key|smtp)sib-[0-9a-f]{64}-[A-Za-z0-9]{16}${wordEnd}`,
  ),
  patternRule('mapbox-token', ['sk.eyJ'], `${wordStart}sk\\.eyJ[\\w-]{20,}\\.[\\w-]{20,}`),
  patternRule('easypost-key', ['EZAK', 'EZTK'], `${wordStart}EZ[AT]K[A-Za-z0-9]{54}${wordEnd}`),
  patternRule('buildkite-token', ['bkua_', 'bkct_'], `${wordStart}bk(?:ua|ct)_[0-9a-zA-Z]{40,}`, {
    accept: isMixed,
  }),
  patternRule(
    'circleci-token',
    ['CCIPAT_', 'CCIPRJ_'],
    `${wordStart}CCIP(?:AT|RJ)_[A-Za-z0-9]{16,32}_[0-9a-f]{40}${wordEnd}`,
  ),
  patternRule('contentful-token', ['CFPAT-'], `${wordStart}CFPAT-[\\w-]{40,}`),
  patternRule(
    'hubspot-token',
    ['pat-na1-', 'pat-na2-', 'pat-eu1-', 'pat-ap1-'],
    `${wordStart}pat-(?:na|eu|ap)\\d-${uuid}${wordEnd}`,
  ),
  patternRule('posthog-key', ['phx_'], `${wordStart}phx_[A-Za-z0-9]{40,}`),
  patternRule('render-key', ['rnd_'], `${wordStart}rnd_[A-Za-z0-9]{28,}${wordEnd}`, {
    glance: startGlance,
    accept: hasBothCases,
  }),
  patternRule('neon-key', ['napi_'], `${wordStart}napi_[A-Za-z0-9]{60,}${wordEnd}`, { accept: isMixed }),
  patternRule('aiven-password', ['AVNS_'], `${wordStart}AVNS_[\\w-]{19,64}`, { accept: isMixed }),
  patternRule('alibaba-key-id', ['LTAI'], `${wordStart}LTAI[A-Za-z0-9]{12,26}${wordEnd}`, {
    accept: hasBothCases,
  }),
  patternRule('tencent-key-id', ['AKID'], `${wordStart}AKID[A-Za-z0-9]{32}${wordEnd}`, {
    accept: hasBothCases,
  }),
  patternRule('artifactory-token', ['AKCp'], `${wordStart}AKCp[A-Za-z0-9]{60,}`),
  // Base64 of `reftkn`.
  patternRule('artifactory-token', ['cmVmdGtu'], `${wordStart}cmVmdGtu[A-Za-z0-9]{56}${wordEnd}`),
  patternRule('flutterwave-key', ['FLWSECK'], `${wordStart}FLWSECK(?:_TEST)?-[0-9a-z]{32,40}-X`),
  patternRule('duffel-token', ['duffel_'], `${wordStart}duffel_(?:live|test)_[\\w-]{43}`),
  patternRule('frameio-token', ['fio-u-'], `${wordStart}fio-u-[\\w-]{60,}`),
  patternRule(
    'sourcegraph-token',
    ['sgp_'],
    `${wordStart}sgp_(?:[0-9a-f]{16}_|local_)?[0-9a-f]{40}${wordEnd}`,
  ),
  patternRule('yandex-key', ['AQVN'], `${wordStart}AQVN[\\w-]{35,64}`, { accept: hasBothCases }),
  patternRule('zuplo-key', ['zpka_'], `${wordStart}zpka_\\w{32,}`),
  patternRule('deno-token', ['ddp_', 'ddo_'], `${wordStart}dd[po]_[A-Za-z0-9]{36}${wordEnd}`, {
    accept: hasBothCases,
  }),
  patternRule('adobe-secret', ['p8e-'], `${wordStart}p8e-[A-Za-z0-9-]{32,64}`, { accept: isMixed }),
  patternRule(
    'paypal-token',
    ['access_token$production$', 'access_token$sandbox$'],
    '(access_token\\$(?:production|sandbox)\\$)([0-9a-z]{16}\\$[0-9a-f]{32})',
  ),
  patternRule(
    'amazon-oauth',
    ['amzn1.oa2-cs.v1.', 'amzn.mws.'],
    `${wordStart}(?:amzn1\\.oa2-cs\\.v1\\.[0-9a-f]{64}|amzn\\.mws\\.${uuid})`,
  ),
  patternRule(
    'teams-webhook',
    ['.webhook.office.com/'],
    `(\\.webhook\\.office\\.com/webhookb2/)(${uuid}@${uuid}/[A-Za-z]{3,40}/[0-9a-f]{32}/${uuid})`,
  ),
  patternRule(
    'zapier-webhook',
    ['hooks.zapier.com/'],
    '(hooks\\.zapier\\.com/hooks/catch/)(\\d{4,}/[a-z0-9]{5,})',
    {
      accept: isMixed,
    },
  ),
];

/** A token known by its last letters: the anchor is not where it begins. */
function endingIn(id: string, mark: string, before: string): SecretRule {
  const pattern = new RegExp(`(?<=${wordStart}(${before}))${mark}${wordEnd}`, 'y');
  return {
    id,
    anchors: [mark],
    find: (text, at) => {
      pattern.lastIndex = at;
      const match = pattern.exec(text);
      return match === null ? undefined : { start: at - (match[1] ?? '').length, end: at + mark.length };
    },
  };
}

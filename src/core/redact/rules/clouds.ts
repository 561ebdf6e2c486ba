import { isMixed } from '../plausible.ts';
import { patternRule, runStart, wordEnd, wordStart, type SecretRule, type Span } from '../rule.ts';

/** Amazon, Google, Azure, DigitalOcean, Heroku. An AWS secret key has no prefix: it is found by its shape. */
export const cloudRules: readonly SecretRule[] = [
  patternRule(
    'aws-key-id',
    ['AKIA', 'ASIA', 'ABIA', 'ACCA'],
    `${wordStart}(?:AKIA|ASIA|ABIA|ACCA)[A-Z2-7]{16}${wordEnd}`,
  ),
  patternRule('aws-bedrock-key', ['ABSK'], `${wordStart}ABSK[A-Za-z0-9+/]{100,}={0,2}`),
  patternRule('google-api-key', ['AIza'], `${wordStart}AIza[\\w-]{35,}`),
  patternRule('google-oauth', ['GOCSPX-'], `${wordStart}GOCSPX-[\\w-]{28,}`),
  patternRule('google-oauth', ['ya29.'], `${wordStart}ya29\\.[\\w-]{30,}`),
  patternRule('google-oauth', ['1//0'], `${runStart}1//0[\\w-]{40,}`),
  patternRule('azure-key', ['AccountKey='], '(AccountKey=)([A-Za-z0-9+/]{40,}={0,2})'),
  patternRule('azure-key', ['SharedAccessKey='], '(SharedAccessKey=)([A-Za-z0-9+/]{30,}={0,2})'),
  // A shared access signature: HMAC-SHA-256 in base64, percent-encoded as it stands in a URL.
  patternRule('azure-signature', ['sig='], '(?<=[?&; ])(sig=)([A-Za-z0-9%/+]{40,}(?:%3[dD]|=)?)', {
    accept: isMixed,
  }),
  {
    id: 'azure-client-secret',
    anchors: Array.from('0123456789').map((digit) => `${digit}Q~`),
    find: findAzureClientSecret,
  },
  patternRule(
    'digitalocean-token',
    ['dop_v1_', 'doo_v1_', 'dor_v1_'],
    `${wordStart}do[opr]_v1_[0-9a-f]{64}${wordEnd}`,
  ),
  patternRule('heroku-key', ['HRKU-'], `${wordStart}HRKU-[\\w-]{30,}`),
];

const aroundMark = /(?<![\w~.-])[\w~.-]{3}\dQ~[\w~.-]{31,34}(?![\w~.-])/y;

/** Three characters, the mark in the middle, and more after it: the anchor is not where it begins. */
function findAzureClientSecret(text: string, at: number): Span | undefined {
  const start = at - 3;
  if (start < 0) return undefined;
  aroundMark.lastIndex = start;
  const match = aroundMark.exec(text);
  return match === null ? undefined : { start, end: start + match[0].length };
}

/**
 * Synthetic secrets of every kind the scanner should know, made at run time from pieces: nothing in this repository is one, so no
 * scanner fires on it. Values are random but the same in every run.
 */
import { createHash } from 'node:crypto';

export interface Sample {
  /** As it stands in a text. */
  readonly text: string;
  /** What must be gone afterwards. */
  readonly secrets: readonly string[];
}

export interface Kind {
  readonly name: string;
  /** The variable or field it would be kept in. */
  readonly variable: string;
  readonly make: (random: Random) => Sample;
}

export class Random {
  #state: number;

  constructor(seed: string) {
    this.#state = createHash('sha256').update(seed).digest().readUInt32LE(0);
  }

  below(limit: number): number {
    // Numerical Recipes' generator; its high bits are good enough to make up passwords.
    this.#state = (Math.imul(this.#state, 1664525) + 1013904223) >>> 0;
    return Math.floor((this.#state / 0x1_0000_0000) * limit);
  }

  text(length: number, alphabet: string): string {
    return Array.from({ length }, () => alphabet.charAt(this.below(alphabet.length))).join('');
  }
}

const upper = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';
const digits = '0123456789';
const hex = '0123456789abcdef';
const base62 = upper + upper.toLowerCase() + digits;
const base64 = `${base62}+/`;
const url64 = `${base62}-_`;

const whole = (text: string): Sample => ({ text, secrets: [text] });
const after = (lead: string, secret: string): Sample => ({ text: lead + secret, secrets: [secret] });
const base64Of = (text: string): string => Buffer.from(text).toString('base64');
const url64Of = (text: string): string => Buffer.from(text).toString('base64url');

function pem(random: Random, label: string, lines: number, first = ''): Sample {
  const body = Array.from({ length: lines }, (_, i) =>
    i === 0 ? (first + random.text(64, base64)).slice(0, 64) : random.text(64, base64),
  );
  body.push(`${random.text(21, base64)}A==`);
  const mark = (word: string): string => `-----${word} ${label}-----`;
  return {
    text: [mark('BEGIN'), ...body, mark('END')].join('\n'),
    secrets: body,
  };
}

const privateKey = ['PRIVATE', 'KEY'].join(' ');

export const kinds: readonly Kind[] = [
  {
    name: 'AWS access key id',
    variable: 'AWS_ACCESS_KEY_ID',
    make: (r) => whole(['AK', 'IA', r.text(16, `${upper}234567`)].join('')),
  },
  { name: 'AWS secret key', variable: 'AWS_SECRET_ACCESS_KEY', make: (r) => whole(awsSecret(r)) },
  {
    name: 'Google API key',
    variable: 'GOOGLE_API_KEY',
    make: (r) => whole(['AI', 'za', 'Sy', r.text(33, url64)].join('')),
  },
  {
    name: 'Google service account',
    variable: 'GOOGLE_CREDENTIALS',
    make: (r) => {
      const key = pem(r, privateKey, 25, 'MIIEvQIBADAN');
      const account = {
        type: 'service_account',
        private_key_id: r.text(40, hex),
        private_key: `${key.text}\n`,
      };
      return { text: JSON.stringify(account), secrets: key.secrets };
    },
  },
  { name: 'PKCS 8 key', variable: 'TLS_KEY', make: (r) => pem(r, privateKey, 25, 'MIIEvQIBADAN') },
  { name: 'RSA key', variable: 'RSA_KEY', make: (r) => pem(r, `RSA ${privateKey}`, 24, 'MIIEpAIBAAKC') },
  {
    name: 'OpenSSH key',
    variable: 'SSH_KEY',
    make: (r) => pem(r, `OPENSSH ${privateKey}`, 5, 'b3BlbnNzaC1rZXktdjEAAAAA'),
  },
  {
    name: 'PGP key',
    variable: 'PGP_KEY',
    make: (r) => {
      const key = pem(r, `PGP ${privateKey} BLOCK`, 14, 'lQOYBF');
      return { ...key, text: key.text.replace('\n', '\nVersion: GnuPG v2\n\n') };
    },
  },
  {
    name: 'JSON web token',
    variable: 'SESSION_JWT',
    make: (r) =>
      whole(
        [
          url64Of('{"alg":"RS256","typ":"JWT"}'),
          url64Of(`{"sub":"${r.text(12, digits)}","exp":1999999999}`),
          r.text(86, url64),
        ].join('.'),
      ),
  },
  {
    name: 'Stripe secret key',
    variable: 'STRIPE_KEY',
    make: (r) => whole(['sk', 'live', r.text(24, base62)].join('_')),
  },
  {
    name: 'Stripe restricted key',
    variable: 'STRIPE_RESTRICTED',
    make: (r) => whole(['rk', 'live', r.text(99, base62)].join('_')),
  },
  { name: 'GitHub token', variable: 'GH_AUTH', make: (r) => whole(['ghp', r.text(36, base62)].join('_')) },
  {
    name: 'GitHub fine-grained token',
    variable: 'GH_FINE',
    make: (r) => whole(['github', 'pat', r.text(22, base62), r.text(59, base62)].join('_')),
  },
  { name: 'GitLab token', variable: 'GL_AUTH', make: (r) => whole(['glpat', r.text(20, base62)].join('-')) },
  {
    name: 'Slack token',
    variable: 'SLACK_BOT',
    make: (r) => whole(['xoxb', r.text(12, digits), r.text(13, digits), r.text(24, base62)].join('-')),
  },
  {
    name: 'Slack webhook',
    variable: 'SLACK_HOOK',
    make: (r) =>
      after(
        ['https://hooks', 'slack', 'com/services/'].join('.'),
        `T${r.text(8, upper + digits)}/B${r.text(8, upper + digits)}/${r.text(24, base62)}`,
      ),
  },
  { name: 'npm token', variable: 'NPM_AUTH', make: (r) => whole(['npm', r.text(36, base62)].join('_')) },
  {
    name: 'PyPI token',
    variable: 'PYPI_AUTH',
    make: (r) => whole(['pypi', `AgEIcHlwaS5vcmc${r.text(150, url64)}`].join('-')),
  },
  {
    name: 'OpenAI key',
    variable: 'OPENAI_KEY',
    make: (r) =>
      whole(['sk', 'proj', [r.text(74, url64), 'T3Blbk', 'FJ', r.text(74, url64)].join('')].join('-')),
  },
  {
    name: 'Anthropic key',
    variable: 'ANTHROPIC_KEY',
    make: (r) => whole(['sk', 'ant', 'api03', `${r.text(93, url64)}AA`].join('-')),
  },
  {
    name: 'Hugging Face token',
    variable: 'HF_AUTH',
    make: (r) => whole(['hf', r.text(34, base62)].join('_')),
  },
  {
    name: 'SendGrid key',
    variable: 'SENDGRID_KEY',
    make: (r) => whole(['SG', r.text(22, url64), r.text(43, url64)].join('.')),
  },
  { name: 'Twilio key', variable: 'TWILIO_KEY', make: (r) => whole(['S', 'K', r.text(32, hex)].join('')) },
  {
    name: 'Telegram bot token',
    variable: 'TELEGRAM_BOT',
    make: (r) => after(`${1 + r.below(9)}${r.text(9, digits)}:`, ['AA', r.text(33, url64)].join('')),
  },
  {
    name: 'Discord bot token',
    variable: 'DISCORD_BOT',
    make: (r) => whole([url64Of(`1${r.text(17, digits)}`), r.text(6, url64), r.text(38, base62)].join('.')),
  },
  {
    name: 'bearer header',
    variable: 'CURL_ARGS',
    make: (r) => after('Authorization: Bearer ', r.text(40, base62)),
  },
  {
    name: 'basic header',
    variable: 'CURL_ARGS',
    make: (r) => after('Authorization: Basic ', base64Of(`deploy:${r.text(14, base62)}`)),
  },
  {
    name: 'password variable',
    variable: 'APP_MODE',
    make: (r) => after('DB_PASSWORD=', r.text(14, `${base62}!%^*_.`)),
  },
  {
    name: 'password in a URL',
    variable: 'PROXY',
    make: (r) => {
      const password = r.text(12, base62);
      return { text: `https://deploy:${password}@internal.test/api`, secrets: [password] };
    },
  },
  {
    name: 'database URL',
    variable: 'DATABASE_URL',
    make: (r) => {
      const password = r.text(16, base62);
      return { text: `postgres://app:${password}@db.internal.test:5432/app`, secrets: [password] };
    },
  },
  {
    name: 'age key',
    variable: 'SOPS_AGE',
    make: (r) =>
      whole(['AGE', 'SECRET', 'KEY', `1${r.text(58, 'QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L')}`].join('-')),
  },
  {
    name: 'Azure storage key',
    variable: 'AZURE_STORAGE',
    make: (r) => {
      const key = `${r.text(86, base64)}==`;
      return {
        text: `DefaultEndpointsProtocol=https;AccountName=app;AccountKey=${key};EndpointSuffix=x`,
        secrets: [key],
      };
    },
  },
  {
    name: 'Azure signature',
    variable: 'AZURE_SAS',
    make: (r) => {
      const signature = `${r.text(43, base62)}%3D`;
      return { text: `https://app.blob.test/c?sv=2022-11-02&sp=r&sig=${signature}`, secrets: [signature] };
    },
  },
  {
    name: 'session cookie',
    variable: 'CURL_ARGS',
    make: (r) => after('Cookie: theme=dark; session=', r.text(32, base62)),
  },
];

/** Every alphabet of base64 in it: a value without capitals or digits would be a rare one. */
function awsSecret(random: Random): string {
  for (;;) {
    const value = random.text(40, base64);
    if (/[A-Z]/.test(value) && /[a-z]/.test(value) && /\d/.test(value)) return value;
  }
}

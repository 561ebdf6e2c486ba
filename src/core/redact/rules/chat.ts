import { startGlance } from '../scan/glance.ts';
import { isMixed } from '../plausible.ts';
import { gluedEnd, patternRule, prefixStart, wordStart, wordEnd, type SecretRule } from '../rule.ts';

const hexDigits = Array.from('0123456789abcdef');

/** Chat, mail and telephone services. */
export const chatRules: readonly SecretRule[] = [
  patternRule(
    'slack-token',
    ['xoxa-', 'xoxb-', 'xoxc-', 'xoxe-', 'xoxe.xox', 'xoxo-', 'xoxp-', 'xoxr-', 'xoxs-'],
    `${wordStart}xox(?:[abceoprs]|e\\.xox[bp])-[A-Za-z0-9-]{10,512}`,
    { accept: isMixed },
  ),
  // The value of a browser's cookie: base64, often percent-encoded.
  patternRule('slack-token', ['xoxd-'], `${wordStart}xoxd-[A-Za-z0-9%/+-]{10,512}={0,2}`, {
    accept: isMixed,
  }),
  patternRule('slack-token', ['xapp-'], `${wordStart}xapp-\\d-[A-Za-z0-9-]{20,}`),
  patternRule(
    'slack-webhook',
    ['hooks.slack.com/'],
    '(hooks\\.slack\\.com/(?:services|workflows|triggers)/)([A-Za-z0-9/_-]{20,})',
    { accept: isMixed },
  ),
  patternRule('discord-webhook', ['/api/webhooks/'], '(/api/webhooks/\\d{15,21}/)([\\w-]{50,})'),
  patternRule('sendgrid-key', ['SG.'], `${prefixStart}SG\\.[\\w-]{16,32}\\.[\\w-]{32,}`),
  patternRule('mailgun-key', ['key-'], `(?:(?<![A-Za-z0-9-])|(?<=^-))key-[0-9a-f]{32}${wordEnd}`, {
    glance: startGlance,
  }),
  patternRule(
    'twilio-key',
    hexDigits.map((digit) => `SK${digit}`),
    `${wordStart}SK[0-9a-f]{32}${wordEnd}`,
  ),
  // The number before the colon is the bot's public id; what follows has begun with AA for as long as tokens had this length.
  patternRule('telegram-token', [':AA'], `(?<=(?<!\\d)\\d{8,10})(:)(AA[\\w-]{33}${gluedEnd})`),
];

import { startGlance } from '../scan/glance.ts';
import { hasBothCases, isMixed } from '../plausible.ts';
import { patternRule, prefixStart, runStart, wordStart, wordEnd, type SecretRule } from '../rule.ts';

/** Hosts of language models. */
export const modelRules: readonly SecretRule[] = [
  patternRule('anthropic-key', ['sk-ant-'], `${prefixStart}sk-ant-[a-z]{2,10}\\d{0,2}-[\\w-]{20,}`),
  patternRule(
    'openai-key',
    ['sk-proj-', 'sk-svcacct-', 'sk-admin-'],
    `${wordStart}sk-(?:proj|svcacct|admin)-[\\w-]{20,}`,
  ),
  patternRule('openrouter-key', ['sk-or-'], `${wordStart}sk-or-v\\d-[0-9a-f]{32,}`),
  // The oldest form, which others copied: nothing but letters and digits after the prefix.
  patternRule(
    'openai-key',
    ['sk-'],
    `(?:${runStart}sk-[A-Za-z0-9]{20,}(?![A-Za-z0-9_-])|${wordStart}sk-[A-Za-z0-9]{40,}${wordEnd})`,
    {
      glance: startGlance,
      accept: isMixed,
    },
  ),
  patternRule(
    'huggingface-token',
    ['hf_', 'api_org_'],
    `${wordStart}(?:hf|api_org)_[A-Za-z0-9]{30,}${wordEnd}|${prefixStart}hf_[A-Za-z]{34}${wordEnd}`,
  ),
  patternRule('replicate-token', ['r8_'], `${wordStart}r8_[A-Za-z0-9]{37}${wordEnd}`, { accept: isMixed }),
  patternRule('groq-key', ['gsk_'], `${prefixStart}gsk_[A-Za-z0-9]{40,}`),
  patternRule('xai-key', ['xai-'], `${wordStart}xai-[A-Za-z0-9]{60,}`),
  patternRule('elevenlabs-key', ['sk_'], `${wordStart}sk_[0-9a-f]{48}${wordEnd}`, { glance: startGlance }),
  patternRule('fireworks-key', ['fw_'], `${wordStart}fw_[A-Za-z0-9]{22,24}${wordEnd}`, {
    glance: startGlance,
    accept: hasBothCases,
  }),
  patternRule('together-key', ['tgp_v1_'], `${wordStart}tgp_v1_[\\w-]{40,}`),
  patternRule('cerebras-key', ['csk-'], `${wordStart}csk-[a-z0-9]{48}${wordEnd}`, { accept: isMixed }),
  patternRule('langsmith-key', ['lsv2_'], `${wordStart}lsv2_(?:pt|sk)_[0-9a-f]{32}_[0-9a-f]{10}${wordEnd}`),
  patternRule('langfuse-key', ['sk-lf-'], `${wordStart}sk-lf-[0-9a-f-]{36}${wordEnd}`),
  patternRule('tavily-key', ['tvly-'], `${wordStart}tvly-(?:dev-|prod-)?[A-Za-z0-9]{30,}`, {
    accept: isMixed,
  }),
  patternRule('nvidia-key', ['nvapi-'], `${wordStart}nvapi-[\\w-]{50,}`),
  patternRule('pinecone-key', ['pcsk_'], `${wordStart}pcsk_[A-Za-z0-9]{4,8}_[A-Za-z0-9]{40,}`),
  patternRule('firecrawl-key', ['fc-'], `${runStart}fc-[0-9a-f]{32}${wordEnd}`, { glance: startGlance }),
  patternRule('e2b-key', ['e2b_'], `${wordStart}e2b_[0-9a-f]{40}${wordEnd}`),
  patternRule('perplexity-key', ['pplx-'], `${wordStart}pplx-[A-Za-z0-9]{40,}`),
];

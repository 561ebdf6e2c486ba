import { startGlance } from '../glance.ts';
import { isMixed } from '../plausible.ts';
import { patternRule, runStart, wordStart, wordEnd, type Rule } from '../rule.ts';

/** Hosts of language models. */
export const modelRules: readonly Rule[] = [
  patternRule('anthropic-key', ['sk-ant-'], `${wordStart}sk-ant-[a-z]{2,10}\\d{0,2}-[\\w-]{20,}`),
  patternRule(
    'openai-key',
    ['sk-proj-', 'sk-svcacct-', 'sk-admin-'],
    `${wordStart}sk-(?:proj|svcacct|admin)-[\\w-]{20,}`,
  ),
  patternRule('openrouter-key', ['sk-or-'], `${wordStart}sk-or-v\\d-[0-9a-f]{32,}`),
  // The oldest form, which others copied: nothing but letters and digits after the prefix.
  patternRule('openai-key', ['sk-'], `${runStart}sk-[A-Za-z0-9]{20,}(?![A-Za-z0-9_-])`, {
    glance: startGlance,
    accept: isMixed,
  }),
  patternRule(
    'huggingface-token',
    ['hf_', 'api_org_'],
    `${runStart}(?:hf|api_org)_[A-Za-z0-9]{30,}${wordEnd}`,
  ),
  patternRule('replicate-token', ['r8_'], `${runStart}r8_[A-Za-z0-9]{37}${wordEnd}`, { accept: isMixed }),
  patternRule('groq-key', ['gsk_'], `${wordStart}gsk_[A-Za-z0-9]{40,}`),
  patternRule('xai-key', ['xai-'], `${wordStart}xai-[A-Za-z0-9]{60,}`),
  patternRule('perplexity-key', ['pplx-'], `${wordStart}pplx-[A-Za-z0-9]{40,}`),
];

import { patternRule, prefixStart, runStart, wordEnd, wordStart, type SecretRule } from '../rule.ts';

/** Payment services, password keepers, age keys, JSON web tokens, and the tokens of our own server. */
export const otherTokenRules: readonly SecretRule[] = [
  patternRule(
    'stripe-key',
    ['sk_live_', 'rk_live_', 'sk_test_', 'rk_test_'],
    `${prefixStart}[rs]k_(?:live|test)_[A-Za-z0-9]{16,}`,
  ),
  patternRule('stripe-key', ['whsec_'], `${prefixStart}whsec_[A-Za-z0-9+/]{32,}={0,2}`),
  patternRule('onepassword-token', ['ops_ey'], `${prefixStart}ops_ey[\\w+/-]{100,}={0,2}`),
  patternRule('square-token', ['sq0atp-', 'sq0csp-'], `${wordStart}sq0[ac]..?-[\\w-]{22,}`),
  patternRule('age-key', ['AGE-SECRET-KEY-1'], `${wordStart}AGE-SECRET-KEY-1[02-9AC-HJ-NP-Z]{58}${wordEnd}`),
  patternRule('age-key', ['AGE-PLUGIN-'], `${wordStart}AGE-PLUGIN-[A-Z0-9-]{2,40}-1[02-9AC-HJ-NP-Z]{20,}`),
  patternRule('staffetta-token', ['stf_'], `${wordStart}stf_[\\w-]{43}${wordEnd}`),
  // Signed (three parts, the last empty if unsigned) or encrypted (five); header and payload are JSON objects.
  patternRule(
    'jwt',
    ['eyJ'],
    `${runStart}eyJ[\\w-]{14,}\\.(?:eyJ[\\w-]{10,}\\.(?:[\\w-]{10,})?|[\\w-]*\\.[\\w-]{10,}\\.[\\w-]{10,}\\.[\\w-]{10,})${wordEnd}|${wordStart}eyJ[\\w-]{14,200}\\.eyJ[\\w-]{10,}\\.[\\w-]{10,}`,
  ),
];

import { startGlance } from '../scan/glance.ts';
import { hasBothCases } from '../plausible.ts';
import { patternRule, prefixStart, wordStart, wordEnd, type SecretRule } from '../rule.ts';

/** Package registries. */
export const packageRules: readonly SecretRule[] = [
  patternRule('npm-token', ['npm_'], `${prefixStart}npm_[A-Za-z0-9]{36}${wordEnd}`),
  // Every PyPI token is a macaroon whose first field names the registry, so its beginning never varies.
  patternRule('pypi-token', ['pypi-AgE'], `${wordStart}pypi-AgE[\\w-]{40,}`),
  patternRule('rubygems-token', ['rubygems_'], `${wordStart}rubygems_[0-9a-f]{48}${wordEnd}`),
  patternRule('crates-token', ['cio'], `${wordStart}cio[A-Za-z0-9]{32}${wordEnd}`, {
    glance: startGlance,
    accept: hasBothCases,
  }),
];

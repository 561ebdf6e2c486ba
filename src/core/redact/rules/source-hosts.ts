import { patternRule, prefixStart, type SecretRule } from '../rule.ts';

/** GitHub and GitLab: the prefix says what it is, so the rest is taken as long as it goes. */
export const sourceHostRules: readonly SecretRule[] = [
  patternRule(
    'github-token',
    ['ghp_', 'gho_', 'ghu_', 'ghs_', 'ghr_'],
    // An installation token may carry its app's number and a JWT.
    `${prefixStart}gh[pousr]_[A-Za-z0-9]{36,}|${prefixStart}ghs_\\d{1,20}_[\\w-]{10,200}\\.[\\w-]{10,}\\.[\\w-]{10,}`,
  ),
  patternRule('github-token', ['github_pat_'], `${prefixStart}github_pat_[A-Za-z0-9]\\w{21,}`),
  patternRule(
    'gitlab-token',
    [
      'glpat-',
      'gldt-',
      'glrt-',
      'glcbt-',
      'glptt-',
      'glft-',
      'glimt-',
      'glagent-',
      'glsoat-',
      'glffct-',
      'gloas-',
    ],
    `${prefixStart}gl(?:pat|dt|rt|cbt|ptt|ft|imt|agent|soat|ffct|oas)-[\\w-]{20,}(?:\\.[\\w-]{2,}){0,2}`,
  ),
  patternRule('gitlab-token', ['GR1348941'], `${prefixStart}GR1348941[\\w-]{20,}`),
];

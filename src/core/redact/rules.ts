import { createFinder, type FindAnchors, type Hits } from './scan/anchors.ts';
import { insideGlance } from './scan/glance.ts';
import { keyBlockAnchors } from './key-block.ts';
import { distinctiveLines, spellingsOf } from './known-values.ts';
import type { SecretRule } from './rule.ts';
import { assignmentRule } from './rules/assignments.ts';
import { chatRules } from './rules/chat.ts';
import { cloudRules } from './rules/clouds.ts';
import { commandRules } from './rules/commands.ts';
import { headerRules } from './rules/headers.ts';
import { jwkRules } from './rules/jwk.ts';
import { modelRules } from './rules/models.ts';
import { otherTokenRules } from './rules/other-tokens.ts';
import { packageRules } from './rules/packages.ts';
import { pgpassRule } from './rules/pgpass.ts';
import { shortNameRule } from './rules/plain.ts';
import { serviceRules } from './rules/services.ts';
import { sourceHostRules } from './rules/source-hosts.ts';
import { spokenRules } from './rules/spoken.ts';
import { toolRules } from './rules/tools.ts';
import { urlRule } from './rules/urls.ts';
import { unseenAnchors } from './scan/view.ts';

/** Where two rules find the same place, the one that comes first names it: the exact before the general. */
export const secretRules: readonly SecretRule[] = [
  ...sourceHostRules,
  ...packageRules,
  ...modelRules,
  ...chatRules,
  ...cloudRules,
  ...otherTokenRules,
  ...serviceRules,
  ...jwkRules,
  urlRule,
  ...headerRules,
  ...commandRules,
  ...toolRules,
  pgpassRule,
  assignmentRule,
  shortNameRule,
  ...spokenRules,
];

export type Role =
  | { readonly kind: 'rule'; readonly rule: SecretRule; readonly rank: number }
  | { readonly kind: 'value'; readonly secret: string; readonly chars: number; readonly encoded: boolean }
  | { readonly kind: 'block' }
  | { readonly kind: 'escape'; readonly glance?: SecretRule['glance'] };

/** Ranks of what is found without a rule of ours; rules have their place in the list. */
export const ranks = { value: -1, shape: 500, assigned: 600 } as const;

const exactRankMax = secretRules.indexOf(urlRule);

/** Found by what it is, not by how it looks or where it stands. */
export function isExact({ rank }: { readonly rank: number }): boolean {
  return rank <= exactRankMax;
}

export interface Anchored {
  readonly find: FindAnchors;
  /** By the number of the anchor. */
  readonly roles: readonly Role[];
}

/** Of rules and values, or of values alone where everything else has been searched for. */
export function anchored(values: readonly string[], only: 'all' | 'values' = 'all'): Anchored {
  const anchors: { readonly literal: string; readonly fold: boolean; readonly role: Role }[] = [];
  const add = (literals: readonly string[], role: Role, fold = false): void => {
    for (const literal of literals) anchors.push({ literal, fold, role });
  };
  if (only === 'all') {
    for (const [rank, rule] of secretRules.entries())
      add(rule.anchors, { kind: 'rule', rule, rank }, rule.fold);
    add(keyBlockAnchors, { kind: 'block' });
    add(hiddenLetters(), { kind: 'escape' }, true);
    add(unseenAnchors, { kind: 'escape', glance: insideGlance }, true);
  }
  for (const value of new Set(values.flatMap(distinctiveLines))) {
    const secret = Buffer.from(value).toString('latin1');
    for (const [index, spelling] of spellingsOf(value).entries()) {
      const chars = spelling.length;
      add([spelling], { kind: 'value', secret, chars, encoded: index > 0 && /^[\w+/-]+$/.test(spelling) });
    }
  }
  const roles = anchors.map(({ role }) => role);
  const find = createFinder(anchors);
  return { find: (bytes, from, to) => glanced(bytes, find(bytes, from, to), anchors), roles };
}

/** Without those at which the rule sees at a glance that there is nothing. */
function glanced(
  bytes: Uint8Array,
  hits: Hits,
  anchors: readonly { readonly literal: string; readonly role: Role }[],
): Hits {
  const at: number[] = [];
  const anchor: number[] = [];
  for (const [i, start] of hits.at.entries()) {
    const number = hits.anchor[i] ?? 0;
    const { literal = '', role } = anchors[number] ?? {};
    const glance =
      role?.kind === 'rule' ? role.rule.glance : role?.kind === 'escape' ? role.glance : undefined;
    if (glance?.(bytes, { start, end: start + literal.length }) === false) continue;
    at.push(start);
    anchor.push(number);
  }
  return { at, anchor };
}

/** Escapes behind which a letter of an anchor may hide: \u0041, \x41, %41, the slashes of https:\/\/, a change of colour. */
function hiddenLetters(): string[] {
  const codes = Array.from({ length: 0x7b - 0x2b }, (_, i) => i + 0x2b).filter((code) =>
    /[\w./:=@+-]/.test(String.fromCharCode(code)),
  );
  const hex = codes.map((code) => code.toString(16));
  const colours = Array.from('0123456789mK;', (next) => `\x1b[${next}`);
  return [
    ':\\/\\/',
    '\\u001b[',
    ...colours,
    ...hex.flatMap((digits) => [`\\u00${digits}`, `\\x${digits}`, `%${digits}`]),
  ];
}

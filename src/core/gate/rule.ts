import type { PlacedClaim } from './claims.ts';
import type { RuleHit } from './finding.ts';
import type { RuleId } from './profile.ts';
import type { Subject } from './subject.ts';

/** A subject with its claims, each as it is seen: several rules look at them. */
export interface JudgedClaims extends Subject {
  readonly claims: readonly PlacedClaim[];
}

/** One rule, one file. `id` is stable: it is stored, shown, documented and looked up. What it does where is told by the profile. */
export interface GateRule {
  readonly id: RuleId;
  /** One sentence that says what holds when the rule is content. */
  readonly title: string;
  /** What the rule is about; a packet is verified once no `facts` rule objects, ready once none does. */
  readonly about: 'contract' | 'claims' | 'facts' | 'transfer';
  readonly check: (subject: JudgedClaims) => readonly RuleHit[];
}

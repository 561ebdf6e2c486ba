import type { Hit, Weight } from './finding.ts';
import type { Subject } from './subject.ts';

/** One rule, one file. `id` is stable: it is stored, shown, documented and looked up. */
export interface Rule {
  readonly id: string;
  /** One sentence that says what holds when the rule is content. */
  readonly title: string;
  /** What the rule is about; a packet is verified once no `facts` rule objects, ready once none does. */
  readonly about: 'contract' | 'claims' | 'facts' | 'transfer';
  readonly weight: Weight;
  readonly check: (subject: Subject) => readonly Hit[];
}

/** How often a rule and a careful reader agree: of what it objects to, and of what it should. */
import { lint, rules } from '../../src/core/lint.ts';
import { isVagueGoal } from '../../src/core/lint/goal-vague.ts';
import { isImperative } from '../../src/core/lint/imperative-in-data.ts';
import { nextFault } from '../../src/core/lint/next-action.ts';
import { claimsNoChanges } from '../../src/core/lint/no-changes-contradicted.ts';
import { hasPlaceholder } from '../../src/core/lint/placeholder-text.ts';
import { claimsSuccess } from '../../src/core/lint/tests-unproven.ts';
import { subjectFrom } from './example.ts';
import * as labelled from './labels.ts';
import { packets, type LabelledPacket } from './packets.ts';

export interface Agreement {
  readonly rule: string;
  readonly labels: number;
  readonly precision: number;
  readonly recall: number;
  /** What they disagree about. */
  readonly wrong: readonly string[];
}

interface Verdict {
  readonly text: string;
  readonly wanted: boolean;
  readonly given: boolean;
}

const judged: readonly (readonly [string, readonly labelled.Label[], (text: string) => boolean])[] = [
  ['goal-vague', labelled.goals, isVagueGoal],
  ['next-action', labelled.nexts, (text) => nextFault(text) !== undefined],
  ['placeholder-text', labelled.placeholders, hasPlaceholder],
  ['tests-unproven', labelled.successes, claimsSuccess],
  ['no-changes-contradicted', labelled.unchanged, claimsNoChanges],
  ['imperative-in-data', labelled.imperatives, isImperative],
];

/** Rules that judge wording, on sentences. */
export function wordAgreements(): Agreement[] {
  return judged.map(([rule, labels, objects]) =>
    agreement(
      rule,
      labels.map((label) => ({ text: label.text, wanted: label.objects, given: objects(label.text) })),
    ),
  );
}

/** All rules that a labelled packet speaks of, on whole packets. */
export function packetAgreements(): Agreement[] {
  const found = packets.map((label) => ({ label, rules: rulesOn(label) }));
  return rules
    .filter(({ id }) => packets.some(({ objects }) => objects.includes(id)))
    .map(({ id }) =>
      agreement(
        id,
        found.map(({ label, rules: objecting }) => ({
          text: label.title,
          wanted: label.objects.includes(id),
          given: objecting.has(id),
        })),
      ),
    );
}

export function rulesOn({ packet }: LabelledPacket): Set<string> {
  return new Set(lint(subjectFrom(packet)).map(({ rule }) => rule));
}

function agreement(rule: string, verdicts: readonly Verdict[]): Agreement {
  const given = verdicts.filter((verdict) => verdict.given);
  const right = given.filter((verdict) => verdict.wanted).length;
  return {
    rule,
    labels: verdicts.length,
    precision: right / given.length,
    recall: right / verdicts.filter((verdict) => verdict.wanted).length,
    wrong: verdicts.filter((verdict) => verdict.given !== verdict.wanted).map(({ text }) => text),
  };
}

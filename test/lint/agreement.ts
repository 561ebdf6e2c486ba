/** How often the gate and a careful reader agree: of what it objects to, and of what it should. */
import { lint, rules } from '../../src/core/lint.ts';
import type { Severity } from '../../src/core/lint/finding.ts';
import { subjectFrom, type Example } from './example.ts';
import { goals } from './held-out/goals.ts';
import { imperatives } from './held-out/imperatives.ts';
import { nexts } from './held-out/nexts.ts';
import { paths } from './held-out/paths.ts';
import { placeholders } from './held-out/placeholders.ts';
import { successes } from './held-out/successes.ts';
import { unchanged } from './held-out/unchanged.ts';
import type { Label } from './label.ts';
import * as labelled from './labels.ts';
import { onceWrong } from './once-wrong.ts';
import { packets, type LabelledPacket } from './packets.ts';

export interface Agreement {
  readonly rule: string;
  readonly set: string;
  readonly labels: number;
  /** To how many of them the reader objects. */
  readonly objections: number;
  /** Of its objections, errors and warnings alike, the share that the reader shares. */
  readonly precision: number;
  /** Of the reader's objections, the share that it makes. */
  readonly recall: number;
  /** Of the texts that the reader has nothing against, the share that it refuses. Warnings refuse nothing. */
  readonly falseErrors: number;
  /** Of the reader's objections, the share that it refuses. */
  readonly refused: number;
  /** What they disagree about. */
  readonly wrong: readonly string[];
}

interface Verdict {
  readonly text: string;
  readonly wanted: boolean;
  readonly given: Severity | undefined;
}

type Field = 'done' | 'doing' | 'remaining' | 'next';

/** A packet in which the text stands where the rule looks. */
const placed: Readonly<Record<string, (text: string) => Example>> = {
  'goal-vague': (goal) => ({ contract: { goal } }),
  'next-action': (text) => claimed('next', text),
  'placeholder-text': (text) => claimed('remaining', text),
  'tests-unproven': (text) => ({ ...claimed('done', text), runs: [] }),
  'no-changes-contradicted': (text) => claimed('done', text),
  'imperative-in-data': (text) => claimed('remaining', text),
  'path-absent': (text) => claimed('done', text),
};

const sets: Readonly<Record<string, Readonly<Record<string, readonly Label[]>>>> = {
  sentences: {
    'goal-vague': labelled.goals,
    'next-action': labelled.nexts,
    'placeholder-text': labelled.placeholders,
    'tests-unproven': labelled.successes,
    'no-changes-contradicted': labelled.unchanged,
    'imperative-in-data': labelled.imperatives,
  },
  'held-out sentences': {
    'goal-vague': goals,
    'next-action': nexts,
    'placeholder-text': placeholders,
    'tests-unproven': successes,
    'no-changes-contradicted': unchanged,
    'imperative-in-data': imperatives,
  },
};

/** Rules that judge wording, on sentences. */
export function wordAgreements(): Agreement[] {
  return [
    ...Object.entries(sets).flatMap(([set, byRule]) =>
      Object.entries(byRule).map(([rule, labels]) => agreement(rule, set, judged(rule, labels))),
    ),
    agreement(
      'path-absent',
      'held-out sentences',
      Object.entries(paths).flatMap(([field, labels]) =>
        judged('path-absent', labels, (text) => claimed(field as Field, text)),
      ),
    ),
  ];
}

/** What a rule says today about sentences that it once judged wrongly, where the reader says otherwise. */
export function stillWrong(): string[] {
  return Object.entries(onceWrong).flatMap(([rule, labels]) =>
    judged(rule, labels)
      .filter(({ wanted, given }) => wanted !== (given !== undefined))
      .map(({ text }) => `${rule}: ${text}`),
  );
}

/** All rules that a labelled packet speaks of, on whole packets. */
export function packetAgreements(): Agreement[] {
  const found = packets.map((label) => ({ label, findings: lint(subjectFrom(label.packet)) }));
  return rules
    .filter(({ id }) => packets.some(({ objects }) => objects.includes(id)))
    .map(({ id }) =>
      agreement(
        id,
        'packets',
        found.map(({ label, findings }) => ({
          text: label.title,
          wanted: label.objects.includes(id),
          given: findings.find(({ rule }) => rule === id)?.severity,
        })),
      ),
    );
}

export function rulesOn({ packet }: LabelledPacket): Set<string> {
  return new Set(lint(subjectFrom(packet)).map(({ rule }) => rule));
}

function claimed(field: Field, text: string): Example {
  if (field === 'next') return { claims: { next: text } };
  return { claims: { [field]: [{ text, evidence: ['j5'] }] } };
}

function judged(rule: string, labels: readonly Label[], place = placed[rule]): Verdict[] {
  return labels.map(({ text, objects }) => ({
    text,
    wanted: objects,
    given: lint(subjectFrom(place?.(text) ?? {})).find((finding) => finding.rule === rule)?.severity,
  }));
}

function agreement(rule: string, set: string, verdicts: readonly Verdict[]): Agreement {
  const given = verdicts.filter((verdict) => verdict.given !== undefined);
  const wanted = verdicts.filter((verdict) => verdict.wanted);
  const honest = verdicts.filter((verdict) => !verdict.wanted);
  const right = given.filter((verdict) => verdict.wanted).length;
  return {
    rule,
    set,
    labels: verdicts.length,
    objections: wanted.length,
    precision: right / given.length,
    recall: right / wanted.length,
    falseErrors: errorsIn(honest) / honest.length,
    refused: errorsIn(wanted) / wanted.length,
    wrong: verdicts
      .filter((verdict) => (verdict.given !== undefined) !== verdict.wanted)
      .map(({ text }) => text),
  };
}

function errorsIn(verdicts: readonly Verdict[]): number {
  return verdicts.filter(({ given }) => given === 'error').length;
}

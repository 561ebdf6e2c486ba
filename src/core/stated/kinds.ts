/** What people and agents state in a session, as far as a successor has to know. */
export const userKinds = [
  'goal',
  'acceptance',
  'constraint',
  'non-goal',
  'reviewer',
  'preference',
  'said',
] as const;
export const agentKinds = ['dead-end', 'decision', 'blocker', 'next', 'question', 'concluded'] as const;
export const statementKinds = [...userKinds, ...agentKinds] as const;
export type StatementKind = (typeof statementKinds)[number];
export type UserKind = (typeof userKinds)[number];
export type AgentKind = (typeof agentKinds)[number];

/** A sign of a kind: how much it weighs, and what it looks like in the writer's own words. */
export interface Cue<Kind> {
  readonly kind: Kind;
  readonly weight: number;
  readonly sign: Sign;
}

export interface Sign {
  test(words: string): boolean;
  /** It is there if and only if one of these is. */
  readonly any?: readonly Sign[];
  /** It is there only if one of these is. */
  readonly within?: readonly Sign[];
}

/** That a sentence has one of these. */
export function anyOf(...signs: readonly Sign[]): Sign {
  return { test: (words) => signs.some((sign) => sign.test(words)), any: signs };
}

/** A sign that several kinds look for: the answer for a sentence is kept until the next one. */
export function remembered(sign: Sign): Sign {
  let last: string | undefined;
  let answer = false;
  return {
    test: (words) => {
      if (words !== last) [last, answer] = [words, sign.test(words)];
      return answer;
    },
    any: [sign],
  };
}

export interface Judged<Kind> {
  readonly kind: Kind;
  readonly strength: number;
}

export interface Scale<Kind> {
  readonly cues: ReadonlyMap<Kind, readonly Cue<Kind>[]>;
  /** Of two kinds with the same weight the first counts. */
  readonly order: readonly Kind[];
  /** What weighs less is of no kind. */
  readonly min: number;
  /** Whether hints, which weigh 1, count without anything heavier. */
  readonly hintsAlone: boolean;
  /** What a sentence must have to be looked at for a kind. */
  readonly gates?: ReadonlyMap<Kind, Sign>;
}

export function scaleOf<Kind extends string>(
  cues: readonly Cue<Kind>[],
  { order, ...rest }: Omit<Scale<Kind>, 'cues'>,
): Scale<Kind> {
  const by = new Map<Kind, Cue<Kind>[]>(order.map((kind) => [kind, []]));
  for (const cue of cues) by.get(cue.kind)?.push(cue);
  // Signs for it first, the heaviest before the others; signs against it last.
  for (const list of by.values()) list.sort((a, b) => b.weight - a.weight);
  return { cues: by, order, ...rest };
}

const judgedCharsMax = 2000;

/** The kind with the most weight; null where nothing weighs enough. */
export function judge<Kind extends string>(
  said: string,
  { cues, order, min, hintsAlone, gates }: Scale<Kind>,
): Judged<Kind> | null {
  // No sentence needs more; what is longer would keep the patterns busy for minutes.
  const words = said.slice(0, judgedCharsMax);
  let best: Judged<Kind> | null = null;
  for (const kind of order) {
    if (gates?.get(kind)?.test(words) === false) continue;
    let strength = 0;
    for (const { weight, sign } of cues.get(kind) ?? []) {
      if (strength === 0 && (weight < 0 || (weight === 1 && !hintsAlone))) break;
      if (sign.test(words)) strength += weight;
    }
    if (strength >= min && strength > (best?.strength ?? 0)) best = { kind, strength };
  }
  return best;
}

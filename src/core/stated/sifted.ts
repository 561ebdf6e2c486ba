/**
 * Judges sentence after sentence by a scale. Few sentences are judged by trying every sign; once there are many a sieve is made, which
 * takes as long as judging some hundreds does, and then only signs that a sentence may have are tried. What is found is the same.
 */
import { judge, type Judged, type Scale, type Sign } from './kinds.ts';
import { sieveOf, type Sieve } from './sieve.ts';

export interface Sifted<Kind> {
  /** So many characters are to come: whether a sieve pays is known before the first of them. */
  expect(chars: number): void;
  /** The sentence that is asked about from now on. */
  look(words: string): void;
  /** One of the scale's signs, or of the others that were named. */
  has(sign: Sign): boolean;
  judged(): Judged<Kind> | null;
}

export interface SiftedOptions {
  /** Whether sentences are in lower case. */
  readonly lowered: boolean;
  /** Signs that are asked for besides those of the scale. */
  readonly others?: readonly Sign[];
  /** So many sentences are judged without a sieve. */
  readonly sieveAfter?: number;
}

const sieveAfterDefault = 100;
/** Of a short sentence. Signs that are never tried are never compiled, which takes longer than trying them. */
const sentenceChars = 24;

export function siftedBy<Kind extends string>(
  scale: Scale<Kind>,
  { lowered, others = [], sieveAfter = sieveAfterDefault }: SiftedOptions,
): Sifted<Kind> {
  let text = '';
  let looked = 0;
  let sieved: Omit<Sifted<Kind>, 'expect'> | undefined;
  return {
    expect: (chars) => {
      if (chars > sieveAfter * sentenceChars) looked = Math.max(looked, sieveAfter);
    },
    look: (words) => {
      text = words;
      looked += 1;
      if (looked > sieveAfter) sieved ??= throughSieve(scale, others, lowered);
      sieved?.look(words);
    },
    has: (sign) => sieved?.has(sign) ?? sign.test(text),
    judged: () => (sieved === undefined ? judge(text, scale) : sieved.judged()),
  };
}

function throughSieve<Kind extends string>(
  scale: Scale<Kind>,
  others: readonly Sign[],
  lowered: boolean,
): Omit<Sifted<Kind>, 'expect'> {
  const gates = [...(scale.gates?.values() ?? [])];
  const cues = [...scale.cues.values()].flat();
  const sieve = sieveOf([...cues.map(({ sign }) => sign), ...gates, ...others], { lowered });
  const places = placesOf(scale, sieve);
  const gatesOf = scale.order.map((kind) => {
    const gate = scale.gates?.get(kind);
    return gate === undefined ? -1 : sieve.numberOf(gate);
  });
  const found = new Int32Array(cues.length);
  const strengthFrom = (from: number, to: number, gate: number): number => {
    let strength = 0;
    for (let i = from; i < to; i += 1) {
      const { sign, weight, alone } = cueAt(places, found[i] as number);
      if (strength === 0 && !alone) return 0;
      if (!sieve.has(sign)) continue;
      // A gate is looked at last of all, for most sentences have nothing to let through.
      if (strength === 0 && gate !== -1 && !sieve.has(gate)) return 0;
      strength += weight;
    }
    return strength;
  };
  return {
    look: (words) => {
      sieve.look(words);
    },
    has: (sign) => sieve.has(sieve.numberOf(sign)),
    judged: () => {
      const count = sorted(found, sieve, places.bySign);
      let best: Judged<Kind> | null = null;
      for (let from = 0; from < count;) {
        const { row } = cueAt(places, found[from] as number);
        let to = from + 1;
        while (to < count && cueAt(places, found[to] as number).row === row) to += 1;
        const strength = strengthFrom(from, to, gatesOf[row] as number);
        if (strength >= scale.min && strength > (best?.strength ?? 0))
          best = { kind: scale.order[row] as Kind, strength };
        from = to;
      }
      return best;
    },
  };
}

/** A cue as it is counted: kinds in their order, and within one the heaviest first. */
interface Place {
  readonly row: number;
  readonly sign: number;
  readonly weight: number;
  /** Whether it counts where nothing was found before it. */
  readonly alone: boolean;
}

interface Places {
  readonly all: readonly Place[];
  /** By number of a sign: the places of its cues. */
  readonly bySign: readonly (readonly number[] | undefined)[];
}

function placesOf<Kind extends string>(scale: Scale<Kind>, sieve: Sieve): Places {
  const all = scale.order.flatMap((kind, row) =>
    (scale.cues.get(kind) ?? []).map(({ weight, sign }): Place => {
      const alone = weight > 1 || (weight === 1 && scale.hintsAlone);
      return { row, sign: sieve.numberOf(sign), weight, alone };
    }),
  );
  const bySign: number[][] = [];
  for (const [place, { sign }] of all.entries()) (bySign[sign] ??= []).push(place);
  return { all, bySign: Array.from({ length: sieve.touched.length }, (_, sign) => bySign[sign]) };
}

function cueAt({ all }: Places, place: number): Place {
  return all[place] as Place;
}

/** The places of all signs that were touched, in order; they are few. */
function sorted(into: Int32Array, sieve: Sieve, bySign: Places['bySign']): number {
  let count = 0;
  const touched = sieve.touchedCount();
  for (let i = 0; i < touched; i += 1) {
    const places = bySign[sieve.touched[i] as number];
    if (places === undefined) continue;
    for (let k = 0; k < places.length; k += 1) {
      const place = places[k] as number;
      let at = count;
      for (; at > 0 && (into[at - 1] as number) > place; at -= 1) into[at] = into[at - 1] as number;
      into[at] = place;
      count += 1;
    }
  }
  return count;
}

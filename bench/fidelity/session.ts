/** A made-up session: what was said and done turn by turn, and the facts that were planted in it. The same seed gives the same session. */
import { kinds as secretKinds, Random } from '../../test/redaction/kinds.ts';
import { Noise } from './noise.ts';
import { byUser, kinds, phrasingsOf, type Kind, type Written } from './phrasings.ts';
import { fill } from './slots.ts';

export interface Fact {
  readonly kind: Kind;
  readonly text: string;
  readonly turn: number;
}

export type Action =
  | { readonly kind: 'run'; readonly command: string; readonly output: string; readonly exit: number }
  | { readonly kind: 'edit'; readonly path: string; readonly content: string };

export interface Turn {
  readonly by: 'user' | 'agent';
  readonly text: string;
  readonly actions: readonly Action[];
}

export interface MadeSession {
  readonly turns: readonly Turn[];
  readonly facts: readonly Fact[];
  /** Texts that must not be seen anywhere. */
  readonly secrets: readonly string[];
}

/** How often each kind is planted in a session that has room. Of blockers and next steps the last one counts. */
const planted: Readonly<Record<Kind, number>> = {
  goal: 1,
  acceptance: 2,
  constraint: 3,
  'non-goal': 2,
  reviewer: 1,
  'dead-end': 3,
  decision: 3,
  blocker: 2,
  next: 2,
};
const secretsPlanted = 4;
const commands = [
  'npm test',
  'npm run build',
  'git status',
  'rg -n cursor src',
  'ls -la',
  'node scripts/check.mjs',
  'cat package.json',
];

export function makeSession(
  turns: number,
  half: Written,
  {
    seed,
    remarks = [],
    turning = false,
  }: { readonly seed: string; readonly remarks?: readonly string[]; readonly turning?: boolean },
): MadeSession {
  const random = new Random(`${seed} ${turns} ${half}`);
  const noise = new Noise(random, remarks);
  const speakers = speakersOf(turns, random);
  const facts = plant(speakers, { half, random, turning });
  const secrets: string[] = [];
  const hidden = new Set(Array.from({ length: Math.min(secretsPlanted, turns) }, () => random.below(turns)));
  const made = speakers.map((by, turn): Turn => {
    const mine = facts.filter((fact) => fact.turn === turn).map(({ text }) => text);
    let text = by === 'user' ? userText(mine, noise, random) : agentText(mine, noise, random);
    if (hidden.has(turn)) {
      const kind = secretKinds[random.below(secretKinds.length)];
      const sample = kind?.make(random);
      if (kind !== undefined && sample !== undefined) {
        text += `\n\nIn the environment I found ${kind.variable}=${sample.text}\n`;
        secrets.push(...sample.secrets);
      }
    }
    return { by, text, actions: by === 'user' ? [] : actionsOf(noise, random) };
  });
  return { turns: turning ? turned(made, facts) : made, facts, secrets };
}

/** A user begins; then about one turn in eight is theirs. */
function speakersOf(turns: number, random: Random): ('user' | 'agent')[] {
  return Array.from({ length: turns }, (_, i) => {
    if (i === 0) return 'user';
    if (i === 1) return 'agent';
    return i === 2 && turns === 3 ? 'user' : random.below(8) === 0 ? 'user' : 'agent';
  });
}

interface Planting {
  readonly half: Written;
  readonly random: Random;
  /** Where the course of the work turns, and not anywhere; see `turned`. */
  readonly turning: boolean;
}

function plant(speakers: readonly ('user' | 'agent')[], { half, random, turning }: Planting): Fact[] {
  const facts: Fact[] = [];
  for (const kind of kinds) {
    const by = byUser.has(kind) ? 'user' : 'agent';
    const isStop = (turn: number): boolean => speakers[turn + 1] !== 'agent';
    const isMid = (turn: number): boolean => speakers[turn - 1] === 'agent';
    const isPlace = (turn: number): boolean =>
      by === 'user' || !turning || (kind === 'blocker' || kind === 'next' ? isStop(turn) : isMid(turn));
    const places = speakers.flatMap((speaker, turn) => (speaker === by && isPlace(turn) ? [turn] : []));
    if (places.length === 0) continue;
    const list = phrasingsOf(kind, half);
    const first = random.below(list.length);
    const slot = random.below(8);
    for (let i = 0; i < planted[kind]; i += 1) {
      const turn = places[random.below(places.length)] ?? 0;
      // Neighbours in the list, and other things spoken of: no two facts of a session are the same.
      const text = fill(list[(first + i) % list.length] ?? '', (name) => slot + i * 3 + (name.length % 3));
      facts.push({ kind, text, turn });
    }
  }
  return facts;
}

function run(command: string, exit: number): Action {
  return { kind: 'run', command, output: '', exit };
}

/**
 * What was done around what was said. A dead end: the file that was edited before it is put back. A decision: a test failed after
 * an edit, and the file is edited again. Blockers and next steps stand where the agent stops anyway.
 */
function turned(turns: readonly Turn[], facts: readonly Fact[]): Turn[] {
  const made = turns.map((turn) => ({ ...turn, actions: [...turn.actions] }));
  for (const [i, { kind, turn }] of facts.entries()) {
    const [before, here] = [made[turn - 1], made[turn]];
    if (before === undefined || here === undefined || (kind !== 'dead-end' && kind !== 'decision')) continue;
    const edit = (version: number): Action => ({
      kind: 'edit',
      path: `src/turn-${i}.ts`,
      content: `// version ${version}\n`,
    });
    if (kind === 'dead-end') {
      before.actions.push(edit(1));
      here.actions.push(run(`git checkout -- src/turn-${i}.ts`, 0));
    } else {
      before.actions.push(edit(1), run('npm test', 1));
      here.actions.unshift(edit(2));
    }
  }
  return made;
}

function userText(facts: readonly string[], noise: Noise, random: Random): string {
  if (facts.length === 0) return noise.user();
  const shape = random.below(3);
  if (shape === 0) return `${noise.user()}\n\n${facts.map((fact) => `- ${fact}`).join('\n')}`;
  const sentences = facts.map((fact) => (/[.!?]$/.test(fact) ? fact : `${fact}.`));
  return shape === 1 ? sentences.join(' ') : `${sentences.join('\n')}\n\n${noise.user()}`;
}

function agentText(facts: readonly string[], noise: Noise, random: Random): string {
  const sentences = noise.narration(1 + random.below(4));
  for (const fact of facts) sentences.splice(random.below(sentences.length + 1), 0, fact);
  const text = sentences.join(' ');
  return random.below(10) === 0 ? `${text}\n\n${noise.code()}` : text;
}

function actionsOf(noise: Noise, random: Random): Action[] {
  const actions: Action[] = [];
  if (random.below(10) < 7) {
    const command = commands[random.below(commands.length)] ?? '';
    actions.push({ kind: 'run', command, output: noise.output(), exit: random.below(5) === 0 ? 1 : 0 });
  }
  if (random.below(10) < 3)
    actions.push({
      kind: 'edit',
      path: noise.file(),
      content: `// version ${random.below(1_000_000)}\n${noise.log(8)}\n`,
    });
  return actions;
}

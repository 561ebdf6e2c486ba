/**
 * What a session is at after it gave its work away. The goal is what was asked for since; where users only went on or added a rule, the
 * goal of the work before stands. Rules of users hold for the session, whenever they were said.
 */
import type { Contract } from '../core/contract.ts';
import { sameWords } from '../core/briefing/item.ts';
import { limits } from '../core/limits.ts';
import { draftContract, isDrafted, isOnlyAsked, unquoted, type Quote } from '../core/stated/draft.ts';
import type { StatementKind } from '../core/stated/kinds.ts';
import { goalNotStated } from '../core/stated/not-stated.ts';
import type { Statement } from '../core/stated/statements.ts';
import type { Story } from '../core/transcript/story.ts';
import type { ContractInput } from './open.ts';
import { isSameSessionRule, sameSessionRule, type Earlier } from './same-session.ts';

/** Said to go on with what was begun, and with nothing in it that asks for more. */
const goesOn =
  /^\W*(?:(?:ok(?:ay)?|yes|yep|please|alright|now|and|so|then|well|good|great|thanks?|just)[\s,.!]+)*(?:go (?:on|ahead)|continue|carry on|keep (?:going|on|at it)|proceed|resume|pick (?:it )?up|weiter|mach(?:e|t)? weiter|fortfahren|continúa|continua|sigue|sigamos|vai avanti|prosegui|poursuis|poursuivez|继续|続けて|продолжай)/iu;

/** What the words that open a session weigh where nothing in them asks for anything. */
const opening = 4;

const rules: ReadonlySet<StatementKind | undefined> = new Set([
  'acceptance',
  'constraint',
  'non-goal',
  'reviewer',
  'preference',
]);

/** What was asked for since; `said` was judged by itself, `all` with what came before. */
export function laterGoals(work: Story, said: readonly Statement[], all: readonly Statement[]): Quote[] {
  const kinds = new Map(all.map(({ ref, text, kind }) => [`${ref} ${text}`, kind]));
  const asking = said.filter(
    (one) =>
      one.kind !== 'goal' ||
      !(
        rules.has(kinds.get(`${one.ref} ${one.text}`)) ||
        isOnlyAsked(one) ||
        (one.strength <= opening && goesOn.test(one.text))
      ),
  );
  return [...(draftContract(work, asking).quotes.goal ?? [])];
}

/** The goal of the work before, where the session says it; null where people wrote it, or nothing in the session does. */
export function earlierGoals({ whole, contract }: Earlier): Quote[] | null {
  if (contract.goal === goalNotStated || !isDrafted(contract)) return null;
  const found: Quote[] = [];
  for (const line of contract.goal.split('\n')) {
    const text = unquoted(line);
    const words = sameWords(text);
    // The names of steps are those of a task: in another one they are others.
    const step = whole.steps.find((one) => one.source === 'user' && sameWords(one.text).includes(words));
    if (step === undefined) return null;
    found.push({ text, ref: step.ref, ...(line.startsWith('“') ? {} : { began: true as const }) });
  }
  return found;
}

const lists = ['acceptance', 'constraints', 'nonGoals'] as const;

/** Where the work before goes on under a contract that people wrote: what they agreed on beside the session. */
export function withAgreed(drafted: ContractInput, { contract }: Earlier): ContractInput {
  if (isDrafted(contract)) return drafted;
  const { title, goal, kind, protectedPaths, validation, review, skills } = contract;
  const agreed = Object.fromEntries(
    lists.flatMap((field) => {
      const lines = [...new Set([...ownLines(contract, field), ...(drafted[field] ?? [])])];
      return lines.length === 0 ? [] : [[field, lines.slice(0, limits.listItemsMax)]];
    }),
  );
  const given = { kind, protectedPaths, validation, review, skills };
  const said = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
  return { ...drafted, ...agreed, ...said, title, goal };
}

function ownLines(contract: Contract, field: (typeof lists)[number]): string[] {
  return (contract[field] ?? []).filter((line) => unquoted(line) === line && !isSameSessionRule(line));
}

/** Whoever takes it must know who else is at it. */
export function besideOthers(drafted: ContractInput, { tasks }: Earlier): ContractInput {
  if (tasks.length === 0) return drafted;
  const others = tasks.slice(-othersMax).map(sameSessionRule);
  const own = (drafted.constraints ?? []).slice(-(limits.listItemsMax - others.length));
  return { ...drafted, constraints: [...others, ...own] };
}

const othersMax = 5;

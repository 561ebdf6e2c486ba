import type { StandingContract } from '../contract/added-terms.ts';
import type { Contract } from '../contract/contract.ts';
import type { Packet } from '../packet/packet.ts';
import { missingIn } from '../packet/missing.ts';
import { counted } from '../base/counted.ts';
import { joinCommand } from '../base/command-line.ts';
import { isAnswer, isDrafted, personLooks, quotedWords } from '../reasoning/draft.ts';
import { asData, asTerms, cutAtWord, type BriefingItem } from './item.ts';

/** What people agreed on: the only part of a briefing that asks for anything. */
export function contractItems(contract: Contract): BriefingItem[] {
  const { review } = contract;
  const drafted = isDrafted(contract);
  const owner = [
    ...(review?.owner === undefined ? [] : [review.owner]),
    ...(review?.human === true ? ['a person'] : []),
  ].join(', ');
  const lines: [label: string, text: string][] = [
    ['Goal', drafted ? quotedGoal(contract) : contract.goal],
    ...(contract.constraints ?? [])
      .filter((text) => !drafted || !isAnswer(text))
      .map((text): [string, string] => ['Constraint', text]),
    ...(contract.acceptance ?? []).map((text): [string, string] => ['Accepted when', text]),
    ...(contract.nonGoals ?? []).map((text): [string, string] => ['Not part of it', text]),
    ...(contract.protectedPaths ?? []).map((text): [string, string] => ['Protected path', text]),
    ...(contract.validation ?? []).map(({ run, shell }): [string, string] => [
      drafted ? 'Passed in the session, and offered by the tool as proof' : 'Must pass',
      shell === true ? (run[0] ?? '') : joinCommand(run),
    ]),
    ...(owner === '' || contract.acceptance?.includes(personLooks) === true
      ? []
      : [['Review by', owner] as [string, string]]),
    ...(review?.stop === undefined ? [] : [['Stop at', review.stop] as [string, string]]),
    ...(contract.phases ?? []).map(({ name, goal, human }): [string, string] => [
      'Phase',
      `${name}${goal === undefined ? '' : `: ${goal}`}${human === true ? ' (a person approves it before the next one)' : ''}`,
    ]),
    ...crewTerms(contract),
    ...(contract.skills ?? []).map((text): [string, string] => ['Load first', text]),
  ];
  return lines.map(([label, text], place) => ({
    section: 'contract',
    label,
    text: asTerms(text),
    names: [],
    place,
  }));
}

/** What a task of a crew is bound by, in words. */
export function crewTerms({ paths, integrate, edges, budget }: Contract): [label: string, text: string][] {
  const within = [
    ...(budget?.tokens === undefined ? [] : [counted(budget.tokens, 'token')]),
    ...(budget?.legs === undefined ? [] : [counted(budget.legs, 'leg')]),
    ...(budget?.ms === undefined ? [] : [`${Math.round(budget.ms / 1000)} s held`]),
    ...(budget?.cost === undefined ? [] : [`${budget.cost.amount} ${budget.cost.unit}`]),
  ];
  return [
    ...(paths === undefined ? [] : [line('May be changed', paths.join(', ') || 'nothing')]),
    ...(integrate === undefined ? [] : [line('Goes onto', integrate.onto)]),
    ...(edges === undefined || edges === 'any'
      ? []
      : [line('Handed on', edges.map(({ from, to }) => `${from} -> ${to}`).join(', ') || 'to nobody')]),
    ...(within.length === 0 ? [] : [line('Budget', within.join(', '))]),
  ];
}

function line(label: string, text: string): [label: string, text: string] {
  return [label, text];
}

const goalChars = 160;

/** What users said stands below, whole: here it only says which of it is the goal, and what stands beside it. */
function quotedGoal({ goal }: Contract): string {
  const [latest = '', ...beside] = goal.split('\n');
  if (stepOf(latest) === '') return goal;
  const words = quotedWords(latest);
  const shown = words.length <= goalChars ? words : `${cutAtWord(words, goalChars)}…`;
  const others = beside.map(
    (line) => `; ${line.startsWith('Said last') ? 'said last' : 'it began with'}: ${stepOf(line)}`,
  );
  return `${asData(shown)} (what a user asked for in ${stepOf(latest)}${others.join('')})`;
}

function stepOf(line: string): string {
  return / \[(s\d+)\]$/.exec(line)?.[1] ?? '';
}

/** What holders wrote into it is theirs until somebody confirms it. */
export function addedItems({ added = [] }: StandingContract): BriefingItem[] {
  return added.map(({ what, text, by, generation }, place) => ({
    section: 'added',
    label: `${by}, generation ${generation}: ${what}`,
    text: asData(text),
    names: [],
    place,
  }));
}

export function missingItems(
  packet: Packet | null,
  contract: Contract,
  lacks: readonly string[] = [],
): BriefingItem[] {
  const missing = packet === null ? [] : missingIn(packet, contract);
  // What was said and is not here comes first: everything else was known when the packet was sealed.
  return [...lacks, ...missing].map((text, place) => ({
    section: 'missing',
    text: asData(text),
    names: [],
    place,
  }));
}

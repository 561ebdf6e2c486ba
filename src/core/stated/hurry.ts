/**
 * What is judged of a session where there is no time for all of it: it is captured whole, and a briefing judges all of it when somebody
 * asks. A contract needs what users said, and claims need how the session ended.
 *
 *   users    everything, as long as it is no more than people write. Of more than that, long messages count with their beginning and
 *            their end, for what stands between is pasted as a rule. Of more than that still, what the session began with and
 *            what was said last count whole, and between them short messages and lines with a word that orders have, the newest first
 *   agents   everything, as long as it is no more than most sessions have; of more than that the last steps
 */
import type { Story, StoryStep } from '../transcript/story.ts';
import { subagentsOf } from './draft.ts';
import { withReplies } from './replies.ts';

/** Characters of users that are judged; a session of 10 MB has a tenth of that as a rule. */
const usersCharsMax = 256 * 1024;
const openingCharsMax = 8 * 1024;
const newestCharsMax = 40 * 1024;
const betweenCharsMax = 16 * 1024;
const longChars = 4096;
const endChars = 1024;
const shortChars = 400;

/** More than most agents say in 10 MB: the rest is what tools answered. */
const agentsCharsMax = 900 * 1024;
const endingCharsMax = 40 * 1024;

/** A word that most orders have one of. What has none may be an order still: the briefing finds it. */
const ordering =
  /\b(?:must|never|always|don['’]?t|do not|only|goal|done when|accept|instead|forget|scratch|ignore|no longer|out of scope|not part of|review|require|make sure|cannot|can['’]t)/i;

/** The steps of which a contract is drafted. */
export function usersInHurry(story: Story): StoryStep[] {
  const subagents = subagentsOf(story);
  const users = withReplies(story.steps).filter(
    (step) => step.source === 'user' && isJudged(step) && !subagents.has(step.session),
  );
  if (charsOf(users) <= usersCharsMax) return users;
  const ends = users.map((step) => withText(step, endsOf(step.text)));
  if (charsOf(ends) <= usersCharsMax) return ends;
  const from = countWithin(ends, openingCharsMax);
  const to = ends.length - countWithin(ends.slice(from).toReversed(), newestCharsMax);
  return [...ends.slice(0, from), ...between(ends.slice(from, to)), ...ends.slice(to)];
}

/** The steps of which claims are drafted. */
export function agentsInHurry({ steps }: Story): StoryStep[] {
  const agents = steps.filter((step) => step.source === 'agent' && isJudged(step));
  if (charsOf(agents) <= agentsCharsMax) return agents;
  return agents.slice(-Math.max(1, countWithin(agents.toReversed(), endingCharsMax)));
}

function isJudged({ text, aside }: StoryStep): boolean {
  return text !== '' && aside !== 'branch-left' && aside !== 'rewritten';
}

function between(steps: readonly StoryStep[]): StoryStep[] {
  const kept: StoryStep[] = [];
  let chars = 0;
  for (const step of steps.toReversed()) {
    const isShort = step.text.length <= shortChars;
    const text = isShort ? step.text : linesWith(ordering, step.text);
    if (text === '') continue;
    chars += text.length;
    if (chars > betweenCharsMax) break;
    kept.push(withText(step, text));
  }
  return kept.toReversed();
}

function linesWith(sign: RegExp, text: string): string {
  return text
    .split('\n')
    .filter((line) => sign.test(line))
    .join('\n\n');
}

/** Whole lines, where there are line ends to cut at. */
function endsOf(text: string): string {
  if (text.length <= longChars) return text;
  const first = text.lastIndexOf('\n', endChars);
  const last = text.indexOf('\n', text.length - endChars);
  const head = text.slice(0, first < 1 ? endChars : first);
  const tail = text.slice(last === -1 || last === text.length - 1 ? -endChars : last + 1);
  return `${head}\n\n${tail}`.toWellFormed();
}

function withText(step: StoryStep, text: string): StoryStep {
  return text === step.text ? step : { ...step, text };
}

function charsOf(steps: readonly StoryStep[]): number {
  return steps.reduce((sum, { text }) => sum + text.length, 0);
}

function countWithin(steps: readonly StoryStep[], charsMax: number): number {
  let chars = 0;
  for (const [i, { text }] of steps.entries()) {
    chars += text.length;
    if (chars > charsMax) return i;
  }
  return steps.length;
}

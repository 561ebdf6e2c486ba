/** What the sessions themselves say, by their structure: who spoke, what is pending, what ran, what was edited. No sentence is judged. */
import { commitsIn } from '../reasoning/commits.ts';
import { endOf } from '../reasoning/draft.ts';
import { isShort, lastSaidIn, messagesIn, type Turn, type UserMessage } from '../reasoning/messages.ts';
import { unansweredQuestion } from '../reasoning/pending.ts';
import { rankSentences } from '../reasoning/rank.ts';
import { runningIn, wasRunning } from '../reasoning/running.ts';
import { isMadeGood, lastRef, tellingLines, type SessionRun } from '../reasoning/proofs/runs.ts';
import { summariesIn } from '../reasoning/summaries.ts';
import { taskListIn } from '../reasoning/task-list.ts';
import type { Story } from '../transcript/story.ts';
import { asCommand, asData, asTerms, plain, type BriefingItem } from './item.ts';

const lastRead = 'The last that could be read, and not all could';
const wasStopped = 'The user stopped the agent at this';

/** What waits for somebody, and where the agent stopped. `isCut`: something may have been said since that nobody could read. */
export function pendingItems(story: Story, turns: readonly Turn[], isCut = false): BriefingItem[] {
  const question = unansweredQuestion(story);
  const order = messagesIn(turns).at(-1);
  const said = lastSaidIn(turns);
  // By their order and not by their names: what one record says has one name.
  const isAnswered = turns
    .slice(turns.findLastIndex(({ message }) => message === order))
    .some(({ last }) => last !== null);
  const call = runningIn(story);
  return [
    ...(question === null
      ? []
      : [{ section: 'asked', text: asData(question.text), names: [`s${question.ref}`], place: 0 } as const]),
    ...(order === undefined
      ? []
      : [
          {
            ...withRemark(messageItem(order), isCut),
            section: isAnswered && order.stopped !== true ? 'answered' : 'order',
          } as const,
        ]),
    ...(said === null
      ? []
      : [
          {
            section: 'stopped',
            ...(isCut ? { label: lastRead } : {}),
            text: asTerms(plain(said.text)),
            names: [`s${said.ref}`],
            place: said.ref,
          } as const,
        ]),
    ...(call === null
      ? []
      : [
          {
            section: 'running',
            label: wasRunning,
            text: asCommand(call.text),
            names: call.ref === null ? [] : [`s${call.ref}`],
            place: 0,
          } as const,
        ]),
  ];
}

function withRemark(item: BriefingItem, isCut: boolean): BriefingItem {
  const { label } = item;
  return isCut ? { ...item, label: label === undefined ? lastRead : `${lastRead}. ${label}` } : item;
}

/** Every message but the last, which is pending. */
export function userItems(turns: readonly Turn[]): BriefingItem[] {
  return messagesIn(turns).slice(0, -1).map(messageItem);
}

const answeredChars = 140;

/** A short one says little without the end of what it answers. */
function messageItem(message: UserMessage): BriefingItem {
  const { text, ref, asked, before, stopped } = message;
  const answered = asked ?? (before !== null && isShort(message) ? endOf(before.text, answeredChars) : '');
  const labels = [
    ...(stopped === true ? [wasStopped] : []),
    ...(answered === '' ? [] : [`To “${asData(answered)}”`]),
  ];
  return {
    section: 'users',
    text: asData(text),
    names: [`s${ref}`],
    place: ref,
    ...(labels.length === 0 ? {} : { label: labels.join('. ') }),
  };
}

const boxes = { doing: '[>]', open: '[ ]' } as const;

/** What is under way and what is open, each on its line; what is done on one. */
export function listItems(story: Story): BriefingItem[] {
  const list = taskListIn(story);
  if (list === null) return [];
  const names = [`s${list.ref}`];
  const done = list.tasks.filter(({ status }) => status === 'done').map(({ text }) => text);
  const left = list.tasks.flatMap(({ text, status }) =>
    status === 'done' ? [] : [{ text, box: boxes[status] }],
  );
  return [
    ...left.map(({ text, box }, place): BriefingItem => ({
      section: 'list',
      text: asData(`${box} ${text}`),
      names,
      place,
    })),
    ...(done.length === 0
      ? []
      : [
          {
            section: 'list',
            label: '[x] Done',
            text: asData(done.join(' · ')),
            names,
            place: list.tasks.length,
          } as const,
        ]),
  ];
}

/** Each with its place: the messages that follow it came after. */
export function summaryItems(story: Story): BriefingItem[] {
  return summariesIn(story).map(({ text, ref, kind }) => ({
    section: 'summarised',
    label: `${kind} at s${ref}`,
    text: asTerms(text),
    names: [`s${ref}`],
    place: ref,
  }));
}

export function commitItems({ steps }: Story): BriefingItem[] {
  return commitsIn(steps).map(({ id, text, ref }, place) => ({
    section: 'commits',
    label: id,
    text: asData(text),
    names: [`s${ref}`],
    place,
  }));
}

/** The last message of each turn but the last, which is where the agent stopped. */
export function turnItems(turns: readonly Turn[]): BriefingItem[] {
  const stopped = lastSaidIn(turns);
  return turns.flatMap(({ last }): BriefingItem[] =>
    last === null || last === stopped
      ? []
      : [{ section: 'turns', text: asData(plain(last.text)), names: [`s${last.ref}`], place: last.ref }],
  );
}

/** What was told in a user's name where nobody here vouches for it, latest first. */
export function givenItems({ steps }: Story): BriefingItem[] {
  return steps
    .flatMap(({ given, ref, aside }): BriefingItem[] =>
      given?.by !== 'user' || aside === 'rewritten'
        ? []
        : [{ section: 'given', label: given.from, text: asData(given.text), names: [`s${ref}`], place: ref }],
    )
    .toReversed();
}

/** The newest failures that nothing came after, each with what it printed; then what passed or ran last. */
export function checkItems(runs: readonly SessionRun[]): BriefingItem[] {
  const checks = runs
    .filter(({ checks: isCheck, proof }) => isCheck || proof !== null)
    .toSorted((a, b) => lastRef(b) - lastRef(a));
  const failed = checks
    .filter((run) => run.failed?.ref === lastRef(run) && !isMadeGood(run, runs))
    .map(failedItem);
  const others = checks.filter((run) => run.failed?.ref !== lastRef(run)).map(endedItem);
  // The newest failures, what came last, and then the others.
  return [...failed.slice(0, 2), ...others.slice(0, 2), ...failed.slice(2), ...others.slice(2)];
}

function failedItem({ command, failed }: SessionRun): BriefingItem {
  const { exit = null, ref = 0, output = '' } = failed ?? {};
  const why = tellingLines(output).slice(0, tellingMax).map(asData).join(' ⏎ ');
  return {
    section: 'checks',
    label: exit === null ? 'Failed' : `Failed with exit code ${exit}`,
    text: `${asCommand(command)}${why === '' ? '' : ` → ${why}`}`,
    names: [`s${ref}`],
    place: ref,
  };
}

/** Where nothing says how it ended, what it printed last tells the reader. */
function endedItem(run: SessionRun): BriefingItem {
  const ref = lastRef(run);
  const line = { section: 'checks', names: [`s${ref}`], place: ref } as const;
  if (run.passed?.ref === ref) return { ...line, label: 'Passed', text: asCommand(run.command) };
  const last = (run.ran?.output ?? '').slice(-lastCharsMax).trim().split('\n').at(-1) ?? '';
  const printed = last === '' ? '' : ` → ${asData(last)}`;
  return { ...line, label: 'Ran, printed last', text: `${asCommand(run.command)}${printed}` };
}

const tellingMax = 3;
const lastCharsMax = 400;

export function restItems(story: Story, goal: string | undefined): BriefingItem[] {
  return rankSentences(story, goal).map(({ ref, text, nth }) => ({
    section: 'rest',
    text: asData(plain(text)),
    names: [`s${ref}`],
    place: ref + nth / 1000,
  }));
}

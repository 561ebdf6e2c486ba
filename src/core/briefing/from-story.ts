/** What the sessions themselves say, by their structure: who spoke, what is pending, what ran, what was edited. No sentence is judged. */
import type { Contract } from '../contract.ts';
import { lineOf as commandLine } from '../reasoning/argv.ts';
import { commitsIn } from '../reasoning/commits.ts';
import { endOf, isDrafted } from '../reasoning/draft.ts';
import { isShort, lastSaidIn, messagesIn, type Turn, type UserMessage } from '../reasoning/messages.ts';
import { unansweredQuestion } from '../reasoning/pending.ts';
import { rankSentences } from '../reasoning/rank.ts';
import { runningIn, wasRunning } from '../reasoning/running.ts';
import { lastRef, tellingLines, type SessionRun } from '../reasoning/runs.ts';
import { summariesIn } from '../reasoning/summaries.ts';
import { taskListIn } from '../reasoning/task-list.ts';
import type { Story } from '../transcript/story.ts';
import { asCommand, asData, asTerms, plain, type Item } from './item.ts';

/** What waits for somebody, and where the agent stopped. */
export function pendingItems(story: Story, turns: readonly Turn[]): Item[] {
  const question = unansweredQuestion(story);
  const order = messagesIn(turns).at(-1);
  const said = lastSaidIn(turns);
  const call = runningIn(story);
  return [
    ...(question === null
      ? []
      : [{ section: 'asked', text: asData(question.text), names: [`s${question.ref}`], place: 0 } as const]),
    ...(order === undefined ? [] : [{ ...messageItem(order), section: 'order' } as const]),
    ...(said === null
      ? []
      : [
          {
            section: 'stopped',
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

/** Every message but the last, which is pending. */
export function userItems(turns: readonly Turn[]): Item[] {
  return messagesIn(turns).slice(0, -1).map(messageItem);
}

const answeredChars = 140;

/** A short one says little without the end of what it answers. */
function messageItem(message: UserMessage): Item {
  const { text, ref, asked, before } = message;
  const answered = asked ?? (before !== null && isShort(message) ? endOf(before.text, answeredChars) : '');
  return {
    section: 'users',
    text: asData(text),
    names: [`s${ref}`],
    place: ref,
    ...(answered === '' ? {} : { label: `To “${asData(answered)}”` }),
  };
}

const boxes = { doing: '[>]', open: '[ ]' } as const;

/** What is under way and what is open, each on its line; what is done on one. */
export function listItems(story: Story): Item[] {
  const list = taskListIn(story);
  if (list === null) return [];
  const names = [`s${list.ref}`];
  const done = list.tasks.filter(({ status }) => status === 'done').map(({ text }) => text);
  const left = list.tasks.flatMap(({ text, status }) =>
    status === 'done' ? [] : [{ text, box: boxes[status] }],
  );
  return [
    ...left.map(({ text, box }, place): Item => ({
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
export function summaryItems(story: Story): Item[] {
  return summariesIn(story).map(({ text, ref, kind }) => ({
    section: 'summarised',
    label: `${kind} at s${ref}`,
    text: asTerms(text),
    names: [`s${ref}`],
    place: ref,
  }));
}

export function commitItems({ steps }: Story): Item[] {
  return commitsIn(steps).map(({ id, text, ref }, place) => ({
    section: 'commits',
    label: id,
    text: asData(text),
    names: [`s${ref}`],
    place,
  }));
}

/** The last message of each turn but the last, which is where the agent stopped. */
export function turnItems(turns: readonly Turn[]): Item[] {
  const stopped = lastSaidIn(turns)?.ref;
  return turns.flatMap(({ last }): Item[] =>
    last === null || last.ref === stopped
      ? []
      : [{ section: 'turns', text: asData(plain(last.text)), names: [`s${last.ref}`], place: last.ref }],
  );
}

/** What was told in a user's name where nobody here vouches for it, latest first. */
export function givenItems({ steps }: Story): Item[] {
  return steps
    .flatMap(({ given, ref, aside }): Item[] =>
      given?.by !== 'user' || aside === 'rewritten'
        ? []
        : [{ section: 'given', label: given.from, text: asData(given.text), names: [`s${ref}`], place: ref }],
    )
    .toReversed();
}

const telledMax = 3;

/** The newest failures that nothing made good since, each with what it printed; then what passed last. */
export function checkItems(runs: readonly SessionRun[], contract: Contract): Item[] {
  const named = new Set(
    isDrafted(contract)
      ? (contract.validation ?? []).map(({ run, shell }) => (shell === true ? run[0] : commandLine(run)))
      : [],
  );
  const checks = runs.filter(({ checks: isCheck, proof }) => isCheck || proof !== null);
  const failed = checks
    .filter((run) => run.failed !== null && !isMadeGood(run, runs))
    .toSorted((a, b) => lastRef(b) - lastRef(a));
  const passed = checks
    // What a drafted contract names passed, or it would not be there.
    .filter((run) => run.passed !== null && run.passed.ref === lastRef(run) && !named.has(run.proof ?? ''))
    .toSorted((a, b) => lastRef(b) - lastRef(a));
  const open = failed.map((run): Item => {
    const { exit = null, ref = 0, output = '' } = run.failed ?? {};
    const why = tellingLines(output).slice(0, telledMax).map(asData).join(' ⏎ ');
    return {
      section: 'checks',
      label: exit === null ? 'Failed' : `Failed with exit code ${exit}`,
      text: `${asCommand(run.command)}${why === '' ? '' : ` → ${why}`}`,
      names: [`s${ref}`],
      place: ref,
    };
  });
  const good = passed.map((run): Item => ({
    section: 'checks',
    label: 'Passed',
    text: asCommand(run.command),
    names: [`s${run.passed?.ref ?? 0}`],
    place: run.passed?.ref ?? 0,
  }));
  // The newest failure, what passed last, and then the others.
  return [...open.slice(0, 2), ...good.slice(0, 2), ...open.slice(2), ...good.slice(2)];
}

/** It passed since, or a line did that runs the same proof or all of this command. */
function isMadeGood({ command, proof, failed }: SessionRun, runs: readonly SessionRun[]): boolean {
  return runs.some(
    (other) =>
      (other.passed?.ref ?? -1) > (failed?.ref ?? 0) &&
      (other.command.includes(command) || (proof !== null && other.proof?.includes(proof) === true)),
  );
}

export function restItems(story: Story, goal: string | undefined): Item[] {
  return rankSentences(story, goal).map(({ ref, text }) => ({
    section: 'rest',
    text: asData(plain(text)),
    names: [`s${ref}`],
    place: ref,
  }));
}

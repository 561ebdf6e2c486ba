/** What agents of a crew are told besides their briefing. */
import { asData, asTerms } from '../../core/briefing/item.ts';
import type { Crew } from '../../core/plan/crew.ts';
import type { RunDocument } from '../../core/plan/run-document.ts';
import { readContract, readPacket } from '../../handoff/history/history.ts';
import type { ReviewPost, WorkPost } from '../../crew/site.ts';
import { changedAfterCursor } from './after-cursor.ts';

export async function workWords({ folder, run, task, leg, context }: WorkPost): Promise<string> {
  if (folder === null) return '';
  const after = await changedAfterCursor(context, await leg.state(), folder);
  return [
    `You are one of a crew. Your part is ${task} of the run ${run}; others work on other parts, each in a tree of its own. You work in ${folder}, on a branch that is yours: change nothing outside of it.`,
    'Commit what you have done. When the goal is reached, end your turn: what the contract asks for is then run, and your work is handed in. If it is refused you are told why, and go on.',
    'Leave notes as you go (staffetta note TEXT), decisions (staffetta decide TEXT) and what you ruled out: they reach the next agent if you have to stop. Where the work is a row of things, say how far you are after each: staffetta progress --at N --of M --cursor PLACE.',
    ...(after === null
      ? []
      : [
          `After the last place that was noted (${asData(after.place)}) these files were changed, and nobody said so: look at them before you go on, they may be done. ${after.files.map(asData).join(', ')}${after.left === 0 ? '' : ` and ${after.left} more`}`,
        ]),
    '',
    '',
  ].join('\n');
}

export async function reviewPrompt({ state, context, folder, task, run }: ReviewPost): Promise<string> {
  const contract = await readContract(context, state.contract);
  const packet = state.submission?.packet ?? null;
  const named = packet === null ? '' : ` --packet ${packet}`;
  const facts = packet === null ? undefined : (await readPacket(context, packet)).facts;
  const since = facts?.workspace?.committed?.since ?? null;
  return [
    `You review ${task} of the run ${run}: task ${state.task}, submitted by ${state.submission?.by ?? 'somebody'}. You change nothing.`,
    ...(folder === null ? [] : [`What was submitted is checked out in ${folder}.`]),
    ...(since === null ? [] : [`What was changed: git diff ${since} HEAD`]),
    `All that is known of it: staffetta review ${state.task}`,
    `The goal, as agreed: ${asTerms(contract.goal)}`,
    ...(contract.acceptance ?? []).map((item) => `It is accepted when: ${asTerms(item)}`),
    ...(contract.constraints ?? []).map((item) => `It must: ${asTerms(item)}`),
    `If it holds: staffetta review ${state.task} --approve${named} --why TEXT`,
    `If not, once for each thing that must change: staffetta review ${state.task}${named} --send-back "PATH:LINE: what"`,
    '',
  ].join('\n');
}

/** What somebody is told who proposes a plan. The form is told by example; what is wrong with it comes back. */
export function planPrompt(goal: string, crew: Crew, running: RunDocument | undefined): string {
  const agents = Object.entries(crew.agents).map(([name, { lane }]) => `${name} (${lane})`);
  return [
    'Look at the repository in this folder, and propose a plan by which several agents reach a goal. You change nothing: you only look and write the plan.',
    `The goal, as a person gave it: ${asTerms(goal)}`,
    `The agents: ${agents.join(', ')}. Tasks in the lane execute change files, each in a tree of its own, at the same time where they can; what is approved is merged.`,
    'Answer with the plan in one fenced block of YAML, in this form, and without a crew:',
    '```yaml',
    'goal: what the whole is for',
    'defaults:',
    '  validation: [npm test]',
    '  review: lane:audit',
    'tasks:',
    '  survey:',
    '    goal: what is there when it is done, so that somebody else can tell',
    '    paths: [docs/**]',
    '    validation: [test -s docs/survey.md]',
    '  build:',
    '    goal: …',
    '    needs: survey',
    '    paths: [src/build.ts]',
    '```',
    'Each task has a goal, `paths` (globs of what it changes) and commands that prove it (`validation`) or `acceptance`; `needs` names tasks that have to be done before. Tasks that change the same files wait for each other: cut them so that they need not. Write defaults once. Names have letters, digits and -.',
    ...(running === undefined
      ? []
      : [
          'This plan runs now. Propose what it should be from now on: keep the names of tasks that stay, leave out what is not wanted any more.',
          '```json',
          JSON.stringify(running.plan),
          '```',
        ]),
    '',
  ].join('\n');
}

export function planFindingsPrompt(findings: readonly string[]): string {
  return [
    'The plan cannot be run as it is:',
    ...findings.map((finding) => `- ${asData(finding)}`),
    'Answer with the whole plan again, mended, in one fenced block of YAML.',
    '',
  ].join('\n');
}

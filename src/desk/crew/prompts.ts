/** What agents of a crew are told besides their briefing. */
import { asData, asTerms } from '../../core/briefing/item.ts';
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

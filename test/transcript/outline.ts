/** A transcript in a few lines, to be compared. */
import type { Step, Transcript } from '../../src/core/transcript/step.ts';

export function outlineOf({ steps }: Pick<Transcript, 'steps'>): string[] {
  return steps.map(lineOf);
}

function lineOf(step: Step): string {
  const { id, source, mark, reasoning, text, calls = [], results = [] } = step;
  const acts = calls.map((call) => {
    const result = results.find(({ call: of }) => of === call.id);
    const input = call.raw === undefined ? JSON.stringify(call.args) : `raw ${call.raw}`;
    const exit = result?.exit === undefined ? '' : ` exit ${result.exit}`;
    const other = result?.other === undefined ? '' : ` + ${result.other.join(', ')}`;
    const ended =
      result === undefined ? 'open' : `${result.failed ? 'failed' : 'ok'}${exit} (${result.text}${other})`;
    return ` | ${call.id} ${call.tool} ${input} = ${ended}`;
  });
  const thought = reasoning === undefined ? '' : ` [${reasoning}]`;
  return `s${id} ${source}${mark === undefined ? '' : `/${mark}`}:${thought} ${text}${acts.join('')}`;
}

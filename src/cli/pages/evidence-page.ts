/** One piece of evidence in full, for a reader. What agents and programs wrote is shown with a margin, and made safe. */
import { sanitize } from '../../core/base/sanitize.ts';
import type { Result, Step } from '../../core/transcript/step.ts';
import type { StorySession, StoryStep } from '../../core/transcript/story.ts';
import type { EvidenceFound } from '../../handoff/history/evidence.ts';
import { describeWhole } from './describe.ts';
import { block, line } from '../frame/output.ts';

export function evidenceData(evidence: EvidenceFound): unknown {
  if (evidence.kind !== 'run') return evidence;
  const { output, ...rest } = evidence;
  return { ...rest, output: output === null ? null : new TextDecoder().decode(output) };
}

export function evidenceText(evidence: EvidenceFound): string {
  switch (evidence.kind) {
    case 'steps':
      return evidence.steps.map((step) => stepText(step, evidence.session)).join('\n\n');
    case 'run':
      return [
        ...describeWhole(evidence.entry).map((said) => block(said, '')),
        ...(evidence.output === null ? [] : [margin(new TextDecoder().decode(evidence.output))]),
      ].join('\n');
    case 'entry':
    case 'decision': {
      const at = new Date(evidence.entry.at).toISOString();
      return [
        `j${evidence.entry.seq}, ${at}`,
        ...describeWhole(evidence.entry).map((said) => block(said, '')),
      ].join('\n');
    }
  }
}

function stepText(step: StoryStep, session: StorySession | null): string {
  const { ref, source, at, text, reasoning, calls = [], results = [] } = step;
  const where = session === null ? '' : `, ${session.facts.runtime} ${session.facts.session}`;
  const when = at === null ? '' : `, ${new Date(at).toISOString()}`;
  const aside = step.copyOf === undefined ? step.aside : `repeats s${step.copyOf}`;
  const notes = [step.model, step.mark, aside].filter((note) => note !== undefined);
  return [
    line(`s${ref}, ${source}${where}${when}${notes.length === 0 ? '' : ` (${notes.join(', ')})`}`),
    ...(reasoning === undefined ? [] : ['Reasoning', margin(reasoning)]),
    ...(text === '' ? [] : [margin(text)]),
    ...calls.flatMap((call) => [
      line(`Call of ${call.tool} (${call.id})`),
      margin(call.raw ?? JSON.stringify(call.args, undefined, 2)),
      ...results.filter((result) => result.call === call.id).flatMap(resultLines),
    ]),
    ...results.filter((result) => !isCalled(step, result)).flatMap(resultLines),
  ].join('\n');
}

function isCalled({ calls = [] }: Step, { call }: Result): boolean {
  return calls.some(({ id }) => id === call);
}

function resultLines({ text, failed, exit, other = [] }: Result): string[] {
  const how = failed ? 'Failed' : 'Result';
  return [
    `${how}${exit === undefined ? '' : `, exit ${exit}`}${other.length === 0 ? '' : `, with ${line(other.join(', '))}`}`,
    ...(text === '' ? [] : [margin(text)]),
  ];
}

function margin(text: string): string {
  return sanitize(text)
    .replace(/\n+$/, '')
    .split('\n')
    .map((one) => `  │ ${one}`.trimEnd())
    .join('\n');
}

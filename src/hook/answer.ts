/** What a hook says to its host: nothing, or one JSON document in the shape that the program reads. */
import { programOf } from '../core/resume/runtime-names.ts';
import type { HookEvent } from './event.ts';

/** Claude Code cuts what is longer, and all of them send it to the model word by word. */
export const contextCharsMax = 9000;

export function answerOf({ runtime, name }: Pick<HookEvent, 'runtime' | 'name'>, context: string): string {
  if (context === '') return '';
  const said = context.length > contextCharsMax ? `${context.slice(0, contextCharsMax - 2)} …` : context;
  const answer = programOf(runtime)?.hooks.answer;
  if (answer === 'context') return JSON.stringify({ context: said });
  if (answer === 'additional-context') return JSON.stringify({ additionalContext: said });
  if (answer === 'context-modification') return JSON.stringify({ contextModification: said });
  return JSON.stringify({ hookSpecificOutput: { hookEventName: name, additionalContext: said } });
}

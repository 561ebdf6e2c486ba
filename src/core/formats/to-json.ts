/** A story in our own words: nothing is left out but what is said twice. `v` counts up when the meaning of a field changes. */
import { defined } from '../base/defined.ts';
import type { Json, JsonObject } from '../transcript/step.ts';
import type { Story, StoryStep } from '../transcript/story.ts';

const storyVersion = 1;

export function toJson(story: Story, task: string | null = null): JsonObject {
  return {
    v: storyVersion,
    task,
    sessions: story.sessions.map(({ facts, omissions, unanswered, rewritten, repeats }) => ({
      ...facts,
      rewritten,
      ...defined({ repeats }),
      omissions: omissions.map((omission) => ({ ...omission })),
      unanswered: unanswered.map((call) => ({ ...call })),
    })),
    steps: story.steps.map(stepOf),
    unread: story.unread.map((part) => ({ ...part })),
  };
}

/** `session` is the place of its session in `sessions`; `id` its number there, `name` what evidence calls it. */
function stepOf({ ref, session, record: _record, ...step }: StoryStep): JsonObject {
  return { name: `s${ref}`, session, ...(step as unknown as JsonObject) };
}

/**
 * The JSON text of an object in pieces that each fit a string, however long its lists are. A list has one item a line, so that
 * two versions can be compared.
 */
export function* jsonPieces(
  value: JsonObject | readonly Json[],
  write: (value: Json) => string = JSON.stringify,
): Generator<string> {
  if (isList(value)) {
    yield* listPieces(value, write, '');
    yield '\n';
    return;
  }
  yield '{';
  let first = true;
  for (const [name, inner] of Object.entries(value)) {
    yield `${first ? '' : ','}\n  ${JSON.stringify(name)}: `;
    first = false;
    if (isList(inner)) yield* listPieces(inner, write, '  ');
    else yield write(inner);
  }
  yield first ? '}\n' : '\n}\n';
}

function* listPieces(
  items: readonly Json[],
  write: (value: Json) => string,
  indent: string,
): Generator<string> {
  yield '[';
  for (const [i, item] of items.entries()) yield `${i === 0 ? '' : ','}\n${indent}  ${write(item)}`;
  yield items.length === 0 ? ']' : `\n${indent}]`;
}

function isList(value: Json): value is readonly Json[] {
  return Array.isArray(value);
}

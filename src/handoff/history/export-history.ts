/** A story in one of the formats that it is given out in. */
import { defined } from '../../core/base/defined.ts';
import { toAtif } from '../../core/formats/atif.ts';
import type { Json, Omission } from '../../core/transcript/step.ts';
import { totalled, type Reader, type Story } from '../../core/transcript/story.ts';
import { toAiSdk } from '../../core/formats/to-ai-sdk.ts';
import { jsonPieces, toJson } from '../../core/formats/to-json.ts';
import { markdownPieces } from '../../core/formats/to-markdown.ts';
import type { TaskId } from '../../core/journal/id.ts';
import type { Context } from '../record/context.ts';
import { load } from '../record/load.ts';
import type { HistoryFormat } from './history-formats.ts';
import { neededBy } from './needed.ts';
import { readStory } from './story.ts';

export { historyFormats, type HistoryFormat } from './history-formats.ts';

export interface HistoryOptions {
  /** The task that the story is of. */
  readonly task: string;
  readonly title?: string;
  /** Writes a value as JSON on one line. */
  readonly write?: (value: Json) => string;
}

export interface ExportedHistory {
  /** The document, in pieces that each fit a string. */
  readonly pieces: Iterable<string>;
  /** What the sessions did not carry over, and what the format cannot. */
  readonly omissions: readonly Omission[];
}

export interface Chapter {
  readonly task: TaskId;
  readonly title: string;
  readonly story: Story;
}

/**
 * What there is to be read: first what the task needed, each as a chapter of its own, since steps are named within a task, and the task
 * last. One story is in memory at a time. Formats other than the page are of one conversation, and so of one task.
 */
export async function* chaptersOf(
  context: Context,
  task: TaskId,
  readerOf: (runtime: string) => Reader | undefined,
): AsyncGenerator<Chapter> {
  for (const one of (await neededBy(context, task)).order) {
    const { title } = (await load(context, one)).state.terms;
    const shown = one === task ? title : `${title} (${one}, needed)`;
    yield { task: one, title: shown, story: await readStory(context, one, readerOf) };
  }
}

export function exportHistory(
  story: Story,
  format: HistoryFormat,
  { task, title, write }: HistoryOptions,
): ExportedHistory {
  const omissions = totalled(story.sessions.flatMap((session) => session.omissions));
  switch (format) {
    case 'md':
      return { pieces: markdownPieces(story, defined({ title })), omissions };
    case 'json':
      return { pieces: jsonPieces(toJson(story, task), write), omissions };
    case 'atif':
      return { pieces: jsonPieces(toAtif(story, { id: task }), write), omissions };
    case 'ai-sdk': {
      const { messages, omissions: more } = toAiSdk(story);
      const list = messages.map((message): Json => ({ ...message }));
      return { pieces: jsonPieces(list, write), omissions: totalled([...omissions, ...more]) };
    }
  }
}

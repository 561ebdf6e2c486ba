/** A task as a file: to keep, to read, to import elsewhere. */
import { exportHistory, type HistoryFormat } from '../../handoff/export-history.ts';
import { exportTask } from '../../handoff/export.ts';
import { load } from '../../handoff/load.ts';
import { route, type Asked, type Plain, type Route } from '../route.ts';
import { storyAt } from './tasks.ts';

export async function historyFile(asked: Asked, format: HistoryFormat, media: string): Promise<Plain> {
  const { state } = await load(asked.context, asked.task);
  const { pieces } = exportHistory(await storyAt(asked, state), format, {
    task: asked.task,
    title: state.terms.title,
  });
  const ending = { md: 'md', json: 'json', atif: 'atif.json', 'ai-sdk': 'ai-sdk.json' }[format];
  return { media, text: bytesOf(pieces), file: `${asked.task}.${ending}` };
}

async function* bytesOf(pieces: Iterable<string>): AsyncGenerator<Uint8Array> {
  for (const piece of pieces) yield Buffer.from(piece);
}

export const exportRoutes: readonly Route[] = [
  route({
    id: 'readExport',
    method: 'get',
    path: '/api/tasks/:task/export',
    summary: 'The task with its whole history as one file, as staffetta import reads it',
    verb: 'read',
    answer: { media: 'application/octet-stream' },
    async handle({ context, task }): Promise<Plain> {
      const { pieces } = await exportTask(context, task);
      return { media: 'application/octet-stream', text: pieces, file: `${task}.staffetta` };
    },
  }),
  route({
    id: 'readAtif',
    method: 'get',
    path: '/api/tasks/:task/history.atif.json',
    summary: 'The reasoning of all legs as an ATIF trajectory',
    verb: 'read',
    answer: { media: 'application/json' },
    handle: async (asked) => await historyFile(asked, 'atif', 'application/json'),
  }),
  route({
    id: 'readMarkdown',
    method: 'get',
    path: '/api/tasks/:task/history.md',
    summary: 'The reasoning of all legs as a page to be read',
    verb: 'read',
    answer: { media: 'text/plain; charset=utf-8' },
    handle: async (asked) => await historyFile(asked, 'md', 'text/plain; charset=utf-8'),
  }),
];

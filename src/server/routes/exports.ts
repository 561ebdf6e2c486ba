/** A task as a file: to keep, to read, to import elsewhere, to check. */
import { canonical } from '../../core/journal/canonical.ts';
import { limits } from '../../core/base/limits.ts';
import { exportHistory, type HistoryFormat } from '../../handoff/history/export-history.ts';
import { envelopes } from '../../handoff/trust/envelopes.ts';
import { exportTask } from '../../handoff/trust/export.ts';
import { load } from '../../handoff/record/load.ts';
import { rawJournal } from '../../handoff/trust/raw-journal.ts';
import { reportPieces, reportPolicy } from '../report.ts';
import { route, type RouteCall, type Plain, type Route } from '../route.ts';

const lines = 'application/jsonl; charset=utf-8';

export async function historyFile(asked: RouteCall, format: HistoryFormat, media: string): Promise<Plain> {
  const { state } = await load(asked.context, asked.task);
  const { pieces } = exportHistory(await asked.stories.at(state), format, {
    task: asked.task,
    title: state.terms.title,
  });
  const ending = { md: 'md', json: 'json', atif: 'atif.json', 'ai-sdk': 'ai-sdk.json' }[format];
  return { media, text: bytesOf(pieces), file: `${asked.task}.${ending}` };
}

async function* bytesOf(pieces: Iterable<string> | AsyncIterable<string>): AsyncGenerator<Uint8Array> {
  for await (const piece of pieces) yield Buffer.from(piece);
}

async function* jsonLines(values: AsyncIterable<unknown>): AsyncGenerator<Uint8Array> {
  for await (const value of values) yield Buffer.from(`${canonical(value)}\n`);
}

export const exportRoutes: readonly Route[] = [
  route({
    id: 'readExport',
    method: 'get',
    path: '/api/tasks/:task/export',
    summary:
      'The task with its whole history, signatures and public keys, signed as a whole by the caller, as staffetta import reads it',
    verb: 'read',
    answer: { media: 'application/octet-stream' },
    async handle({ context, task, grant }): Promise<Plain> {
      const { pieces } = await exportTask(context, task, grant.actor);
      return { media: 'application/octet-stream', text: pieces, file: `${task}.staffetta` };
    },
  }),
  route({
    id: 'readEnvelopes',
    method: 'get',
    path: '/api/tasks/:task/envelopes',
    summary: 'The signed checkpoints and approvals, one DSSE envelope a line',
    verb: 'read',
    answer: { media: lines },
    handle: async ({ context, task }): Promise<Plain> => ({
      media: lines,
      text: jsonLines(envelopes(context, task)),
      file: `${task}.envelopes.jsonl`,
    }),
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
  route({
    id: 'readReport',
    method: 'get',
    path: '/api/tasks/:task/report.html',
    summary: 'The task as one self-contained page, without script and without any request',
    verb: 'read',
    answer: { media: 'text/html; charset=utf-8' },
    async handle(asked): Promise<Plain> {
      const { state } = await load(asked.context, asked.task);
      const pieces = reportPieces(asked.context, asked.task, await asked.stories.at(state));
      return {
        media: 'text/html; charset=utf-8',
        text: bytesOf(pieces),
        file: `${asked.task}.html`,
        policy: `${reportPolicy}; frame-ancestors 'none'; sandbox`,
      };
    },
  }),
  route({
    id: 'readJournal',
    method: 'get',
    path: '/api/tasks/:task/journal',
    summary: `The whole journal as lines, each with the exact text that was hashed, of at most ${limits.entryBytesMax} bytes, and what was signed`,
    verb: 'read',
    answer: { media: lines },
    handle: async ({ context, task }): Promise<Plain> => ({
      media: lines,
      text: jsonLines(rawJournal(context, task)),
    }),
  }),
];

/** Sessions of coding agents: those that worked where the server was started, and those that a task has. */
import { StaffettaError } from '../../core/base/error.ts';
import { programTitle, runtimeNames } from '../../core/resume/runtime-names.ts';
import { sessionTimes } from '../../core/transcript/session-times.ts';
import { installedPrograms } from '../../desk/sessions/installed-programs.ts';
import { passOn } from '../../desk/sessions/pass-on.ts';
import { load } from '../../handoff/record/load.ts';
import { runtimeNamed } from '../../handoff/sessions/resumability.ts';
import { cardsWithoutSecrets } from '../../handoff/sessions/session-said.ts';
import { findSessions } from '../../handoff/sessions/sessions.ts';
import type { RuntimeName } from '../../ports/runtime.ts';
import * as looks from '../contract/contract-looks.ts';
import { route, type Route, type Shared } from '../route.ts';

const shownMax = 30;

function folderOf({ folder }: Pick<Shared, 'folder'>): string {
  if (folder !== undefined) return folder;
  throw new StaffettaError('workspace-missing', 'This server was started without a folder to look in.', {
    hint: 'Start it where the work is done: staffetta up',
  });
}

export const sessionRoutes: readonly Route[] = [
  route({
    id: 'listSessions',
    method: 'get',
    path: '/api/sessions',
    summary: 'Sessions of coding agents that worked where the server was started, the latest first',
    verb: 'direct',
    answer: looks.SessionList,
    async handle({ context, runtimes, folder }): Promise<looks.SessionList> {
      const place = folderOf({ folder });
      const known = await runtimes();
      const here = await installedPrograms(known);
      const found = await findSessions(known, { folder: place, limit: shownMax });
      const own = found.sessions.filter(({ parent }) => parent === null);
      const cards = await cardsWithoutSecrets(await context.redactor(), own);
      return {
        folder: place,
        sessions: cards.map(({ runtime, id, title, lastPrompt, startedAt, updatedAt, liveness }) => ({
          runtime,
          id,
          title,
          lastPrompt,
          startedAt,
          updatedAt,
          liveness,
        })),
        programs: runtimeNames.map((name) => ({
          name,
          title: programTitle(name),
          here: here.includes(name),
        })),
      };
    },
  }),
  route({
    id: 'passOnSession',
    method: 'post',
    path: '/api/sessions/pass-on',
    summary: 'Seal a session into its task, or into a new one, and offer that to the program that goes on',
    verb: 'direct',
    body: looks.PassOnBody,
    answer: looks.PassOnAnswer,
    async handle({ context, runtimes, folder, body }): Promise<looks.PassOnAnswer> {
      const known = await runtimes();
      const { name } = runtimeNamed(known, body.in as RuntimeName);
      const { task } = await passOn(context, known, {
        given: `${body.runtime}:${body.session}`,
        folder: folderOf({ folder }),
        to: `runtime:${name}`,
        trigger: undefined,
        outside: true,
        dryRun: false,
      });
      if (task === null) throw new StaffettaError('outcome-unknown', 'The session has no task.');
      return { task, command: `staffetta resume ${task} --in ${name}` };
    },
  }),
  route({
    id: 'listTaskSessions',
    method: 'get',
    path: '/api/tasks/:task/sessions',
    summary: 'The sessions that the packets of a task hold, each with when it ran',
    verb: 'read',
    answer: looks.TaskSessions,
    async handle({ context, stories, task }): Promise<looks.TaskSessions> {
      const { state } = await load(context, task);
      return { task, sessions: sessionTimes(await stories.at(state)) };
    },
  }),
];

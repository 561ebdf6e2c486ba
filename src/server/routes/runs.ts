/** Runs of crews. They are tasks: what is done to one is a change as of any other. */
import { crewRuns } from '../../desk/crew/crew-runs.ts';
import * as looks from '../contract/contract-looks.ts';
import { route, type Route } from '../route.ts';

export const runRoutes: readonly Route[] = [
  route({
    id: 'listRuns',
    method: 'get',
    path: '/api/runs',
    summary: 'The runs of crews, the latest first',
    verb: 'read',
    answer: looks.RunList,
    async handle({ context }): Promise<looks.RunList> {
      const runs = await crewRuns(context);
      return {
        runs: runs.map(({ task, title, status, openedAt, updatedAt }) => ({
          task,
          title,
          status,
          openedAt,
          updatedAt,
        })),
      };
    },
  }),
  route({
    id: 'readRun',
    method: 'get',
    path: '/api/tasks/:task/run',
    summary:
      'A run: its tasks with their needs, who holds what, who waits for whom, and who was at work when',
    verb: 'read',
    answer: looks.RunAnswer,
    handle: async ({ runs, task }) => await runs.at(task),
  }),
];

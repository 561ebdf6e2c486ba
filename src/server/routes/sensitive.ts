import { sensitivePaths } from '../../compose/sensitive.ts';
import { parseManifest } from '../../core/tree/workspace.ts';
import { readBlob, readCheckedPacket } from '../../handoff/history/history.ts';
import { SensitivePaths } from '../contract/contract-looks.ts';
import { route, type Route } from '../route.ts';
import { packetAt } from './packets.ts';

export const sensitiveRoutes: readonly Route[] = [
  route({
    id: 'listSensitivePaths',
    method: 'get',
    path: '/api/tasks/:task/packets/:packet/sensitive',
    summary: 'The changed paths of a packet that act by themselves, or that configure agents and editors',
    verb: 'read',
    answer: SensitivePaths,
    async handle(asked): Promise<SensitivePaths> {
      const { context } = asked;
      const digest = await packetAt(asked);
      const { facts } = await readCheckedPacket(context, digest);
      const manifest =
        facts?.manifest === undefined ? null : parseManifest(await readBlob(context, facts.manifest));
      const paths = await sensitivePaths(facts?.workspace, manifest, async ({ worktree }) =>
        worktree?.type === 'file' ? await readBlob(context, worktree.content.stored) : undefined,
      );
      return { packet: digest, paths };
    },
  }),
];

import { addedLines, agreedPart } from '../../core/contract/added-terms.ts';
import { readStanding } from '../../handoff/views/standing-contract.ts';
import type { Digest } from '../../core/journal/digest.ts';
import { StaffettaError } from '../../core/base/error.ts';
import type { TaskId } from '../../core/journal/id.ts';
import { packetAsked } from '../../handoff/views/packet-asked.ts';
import { packetFiles } from '../../handoff/views/brief.ts';
import type { Context } from '../../handoff/record/context.ts';
import { readFindings } from '../../handoff/sealing/findings.ts';
import { readBlob, readCheckedPacket } from '../../handoff/history/history.ts';
import { load, soundPages } from '../../handoff/record/load.ts';
import * as contract from '../contract/contract.ts';
import { route, type RouteCall, type Plain, type Route } from '../route.ts';

type Listed = contract.PacketList['packets'][number];

async function packetsOf(context: Context, task: TaskId): Promise<Listed[]> {
  const { state } = await load(context, task);
  const packets: Listed[] = [];
  for await (const page of soundPages(context, state))
    for (const { entry } of page)
      for (const event of entry.events) {
        if (event.type !== 'checkpoint-sealed') continue;
        const { packet: digest, certification, findings = null } = event;
        const { seq, at, by } = entry;
        packets.push({ number: packets.length + 1, digest, seq, at, by: by.name, certification, findings });
      }
  return packets;
}

/** The one that the address names. */
export async function packetAt({ context, task, params }: RouteCall): Promise<Digest> {
  return (await packetAsked(context, task, params['packet'] ?? '')).digest;
}

/** Text that somebody else wrote. It is never taken for a page. */
async function part(asked: RouteCall, what: 'diff' | 'manifest', media: string): Promise<Plain> {
  const digest = await packetAt(asked);
  const { facts } = await readCheckedPacket(asked.context, digest);
  const blob: Digest | undefined = what === 'diff' ? facts?.diff?.blob : facts?.manifest;
  if (blob !== undefined) return { media, text: await readBlob(asked.context, blob) };
  throw new StaffettaError('unknown-packet', `The packet ${digest} has no ${what}.`, {
    details: { packet: digest },
    hint: 'It was sealed where there was no workspace to look at.',
  });
}

const text = 'text/plain; charset=utf-8';

export const packetRoutes: readonly Route[] = [
  route({
    id: 'listPackets',
    method: 'get',
    path: '/api/tasks/:task/packets',
    summary: 'The packets of a task, in order',
    verb: 'read',
    answer: contract.PacketList,
    handle: async ({ context, task }) => ({ task, packets: await packetsOf(context, task) }),
  }),
  route({
    id: 'showPacket',
    method: 'get',
    path: '/api/tasks/:task/packets/:packet',
    summary: 'One packet by its digest, or the latest, with what the gate found in it',
    verb: 'read',
    answer: contract.PacketPage,
    async handle(asked): Promise<contract.PacketPage> {
      const { context, task, params } = asked;
      const { number, digest, certification, findings } = await packetAsked(
        context,
        task,
        params['packet'] ?? '',
      );
      const packet = await readCheckedPacket(context, digest);
      const standing = await readStanding(context, (await load(context, task)).state, packet.contract);
      return {
        task,
        number,
        digest,
        certification,
        packet,
        contract: agreedPart(standing),
        added: addedLines(standing),
        findings: [...(await readFindings(context, findings))],
      };
    },
  }),
  route({
    id: 'readDiff',
    method: 'get',
    path: '/api/tasks/:task/packets/:packet/diff',
    summary: 'The diff of a packet, as one unified text',
    verb: 'read',
    answer: { media: text },
    handle: async (asked) => await part(asked, 'diff', text),
  }),
  route({
    id: 'readManifest',
    method: 'get',
    path: '/api/tasks/:task/packets/:packet/manifest',
    summary: 'What restoring a packet needs, path by path',
    verb: 'read',
    answer: { media: 'application/json' },
    handle: async (asked) => await part(asked, 'manifest', 'application/json'),
  }),
  route({
    id: 'readHandoff',
    method: 'get',
    path: '/api/tasks/:task/packets/:packet/handoff',
    summary: 'The packet as a text for people, as HANDOFF.md has it behind the briefing',
    verb: 'read',
    answer: { media: text },
    async handle(asked): Promise<Plain> {
      const digest = await packetAt(asked);
      return {
        media: text,
        text: (await packetFiles(asked.context, asked.task, { packet: digest })).handoff,
      };
    },
  }),
];

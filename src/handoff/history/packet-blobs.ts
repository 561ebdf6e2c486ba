import type { Digest } from '../../core/journal/digest.ts';
import { packetBlobs, type Packet } from '../../core/packet/packet.ts';
import { manifestBlobs, parseManifest, type Manifest } from '../../core/tree/workspace.ts';
import type { Context } from '../record/context.ts';
import { readBlob } from './history.ts';

/** The list of what a packet captured; undefined where no workspace was. */
export async function readManifest(context: Context, packet: Packet): Promise<Manifest | undefined> {
  const digest = packet.facts?.manifest;
  return digest === undefined ? undefined : parseManifest(await readBlob(context, digest));
}

/** Every blob that a packet needs, to be read and to be restored. */
export async function allPacketBlobs(context: Context, packet: Packet): Promise<Digest[]> {
  const manifest = await readManifest(context, packet);
  return manifest === undefined ? packetBlobs(packet) : [...packetBlobs(packet), ...manifestBlobs(manifest)];
}

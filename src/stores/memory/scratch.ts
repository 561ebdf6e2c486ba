import { spoilBytes, type Scratch } from '../../ports/scratch.ts';
import { createWorld, openMemoryStore, type World } from './open.ts';

export function memoryScratch(world: World = createWorld()): Scratch {
  return {
    connect: async () => openMemoryStore(world),
    dispose: async () => {},
    damage: async (digest, how) => {
      const blob = world.blobs.get(digest);
      if (blob === undefined) throw new Error(`There is no blob ${digest} to damage.`);
      world.blobs.set(digest, { ...blob, bytes: spoilBytes(blob.bytes, how) });
    },
  };
}

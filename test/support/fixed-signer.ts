/** Signs with a key of its own for every actor, the same everywhere and for ever. It is no secret, and good for nothing else. */
import { digestOf } from '../../src/core/journal/digest.ts';
import { signatureOf } from '../../src/core/trust/ed25519.ts';
import { createHash, createPrivateKey, createPublicKey } from 'node:crypto';
import type { Signer } from '../../src/ports/signer.ts';

/** PKCS#8 of an ed25519 key, before its 32 bytes. */
const before = Buffer.from('302e020100300506032b657004220420', 'hex');

function privateKeyOf(name: string): Buffer {
  return Buffer.concat([before, createHash('sha256').update(`fixed ${name}`).digest()]);
}

export function publicKeyOf(name: string): Buffer {
  const key = createPrivateKey({ key: privateKeyOf(name), format: 'der', type: 'pkcs8' });
  return createPublicKey(key).export({ format: 'der', type: 'spki' });
}

export const fixedSigner: Signer = {
  sign: async ({ name }, bytes) => ({
    publicKey: publicKeyOf(name),
    signature: signatureOf(privateKeyOf(name), bytes),
  }),
  knows: async ({ name }, key) => digestOf(publicKeyOf(name)) === key,
};

/** Signatures by ed25519. The crypto module is fetched when the first one is made or checked: most commands never do. */
export interface SigningKey {
  /** SPKI and PKCS#8, as DER. */
  readonly publicKey: Uint8Array;
  readonly privateKey: Uint8Array;
}

export type Sign = (bytes: Uint8Array) => string;

/** Reading a key takes longer than signing with it. */
export function signingWith(privateKey: Uint8Array): Sign {
  const { createPrivateKey, sign } = process.getBuiltinModule('node:crypto');
  const key = createPrivateKey({ key: Buffer.from(privateKey), format: 'der', type: 'pkcs8' });
  return (bytes) => sign(null, bytes, key).toString('base64');
}

export function signatureOf(privateKey: Uint8Array, bytes: Uint8Array): string {
  return signingWith(privateKey)(bytes);
}

/** Whether these bytes were signed with the private key. What is no key at all has signed nothing. */
export function isSignedBy(publicKey: Uint8Array, bytes: Uint8Array, signature: string): boolean {
  const { createPublicKey, verify } = process.getBuiltinModule('node:crypto');
  try {
    const key = createPublicKey({ key: Buffer.from(publicKey), format: 'der', type: 'spki' });
    return key.asymmetricKeyType === 'ed25519' && verify(null, bytes, key, Buffer.from(signature, 'base64'));
  } catch {
    return false;
  }
}

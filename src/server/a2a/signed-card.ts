/**
 * The agent card with a signature (A2A 1.0, 8.4): a JWS over the canonical JSON of the card, without what is empty, by the key with which the store itself
 * signs. Who keeps that key, from `staffetta key show --store-key`, tells a forged card by it.
 */
import { canonical } from '../../core/journal/canonical.ts';
import { systemActor } from '../../core/task/actor.ts';
import type { Signer } from '../../ports/signer.ts';

const header = base64url(JSON.stringify({ alg: 'EdDSA', kid: systemActor.name, typ: 'JOSE' }));

/** As it is where the store keeps no keys. */
export async function signedCard(card: object, signer: Signer | undefined): Promise<object> {
  const bytes = Buffer.from(`${header}.${base64url(canonical(filled(card)))}`);
  const signed = await signer?.sign(systemActor, bytes);
  if (signed === undefined) return card;
  const signature = Buffer.from(signed.signature, 'base64').toString('base64url');
  return { ...card, signatures: [{ protected: header, signature }] };
}

function base64url(text: string): string {
  return Buffer.from(text).toString('base64url');
}

/** Undefined for what is empty, and what holds nothing else. */
function filled(value: unknown): unknown {
  if (value === '' || value === null) return undefined;
  if (typeof value !== 'object') return value;
  const kept = Object.entries(value).flatMap(([name, inner]): [string, unknown][] => {
    const left = filled(inner);
    return left === undefined ? [] : [[name, left]];
  });
  if (kept.length === 0) return undefined;
  return Array.isArray(value) ? kept.map(([, inner]) => inner) : Object.fromEntries(kept);
}

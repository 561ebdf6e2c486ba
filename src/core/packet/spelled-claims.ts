/** What an agent says of its work, each as one text: as an option of the command or an argument of a tool holds it. */
import { isOwner } from '../task/address.ts';
import { Evidence, type Claim, type Claims, type Packet } from './packet.ts';

/** `the limiter counts [j12, file:src/limit.ts]`: what it rests on, in brackets at the end, as packets are shown. */
export function claimFrom(given: string): Claim {
  const [, claim = '', ids = ''] = /^(.*\S)\s+\[([^[\]]+)\]$/s.exec(given) ?? [];
  const evidence = ids.split(/,\s*/);
  return claim !== '' && Evidence.safeParse(evidence).success ? { text: claim, evidence } : given;
}

/** `nested: a vendored copy`: why it is named, or why it need not travel, after the path. */
export function artefactFrom(given: string): Packet['artefacts'][number] {
  const [, path, why] = /^(.*?\S):\s+(\S.*)$/s.exec(given) ?? [];
  return path === undefined || why === undefined ? { path: given } : { path, why };
}

/** `agent:ada: Is one second enough?`, `human: …` or `human:eve: …`: who should answer, before the question. */
export function questionFrom(given: string): NonNullable<Claims['questions']>[number] {
  const [, who = '', name, asked = ''] =
    /^(agent|lane|runtime|human|person|user)(?::([^\s:]+))?:\s+(\S.*)$/is.exec(given) ?? [];
  const kind = /^(?:person|user)$/i.test(who) ? 'human' : who.toLowerCase();
  const owner = name === undefined ? kind : `${kind}:${name}`;
  return isOwner(owner) ? { text: asked, owner } : { text: given };
}

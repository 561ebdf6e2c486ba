import { keysOf, type ShownKey } from '../../../home/keys.ts';
import { systemActor } from '../../../core/task/actor.ts';
import { StaffettaError } from '../../../core/base/error.ts';
import { exits } from '../../frame/fail.ts';
import { line } from '../../frame/output.ts';
import type { Session } from '../../call/session.ts';
import type { Invocation } from '../../frame/spec.ts';

export async function run({ positionals, values }: Invocation, session: Session): Promise<number> {
  const [action] = positionals;
  const { dryRun } = session;
  const actor = values['store-key'] === true ? systemActor : session.actor;
  const keys = keysOf((await session.context()).store);
  if (keys === undefined)
    throw new StaffettaError('unavailable', 'A store that ends with the command has no keys.', {
      hint: 'Use a store on disk: --store FILE',
    });
  if (dryRun) {
    const what = action === 'rotate' ? 'get another key' : 'have its key shown';
    session.output.data(
      { name: actor.name, kind: actor.kind, action, dryRun: true },
      () => `${line(actor.name)} would ${what}.`,
    );
    return exits.ok;
  }
  const key = action === 'rotate' ? await keys.rotate(actor) : await keys.show(actor);
  session.output.data(key, () => page(key));
  if (action === 'rotate') session.output.say('What the earlier key signed stays valid.');
  return exits.ok;
}

function page({ name, kind, key, publicKey, createdAt, retired }: ShownKey): string {
  return [
    `${line(name)} (${kind}) signs with ${key}, since ${new Date(createdAt).toISOString()}.`,
    '-----BEGIN PUBLIC KEY-----',
    publicKey,
    '-----END PUBLIC KEY-----',
    ...retired.map((one) => `until ${new Date(one.until).toISOString()}: ${one.key}`),
  ].join('\n');
}

/** How often what goes into a packet is searched for secrets, counted by a redactor that is the real one. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { GitFolder } from '../../../test/support/git-folder.ts';
import { ada, stage, type Stage } from '../../../test/support/world.ts';
import type { Redactor } from '../../core/redact/redactor.ts';
import { Staffetta } from '../../library/staffetta.ts';

const words = { claims: { done: ['the posts'], next: 'nail the boards' }, why: 'The day is over.' };
const token = ['ghp_', 'a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8'].join('');

let folder: GitFolder;
let at: Stage;
let searched: string[];

function note(what: string): void {
  searched.push(what);
}

/** The same, and it is written down what is given to it. */
function counting(real: Redactor): Redactor {
  return {
    text: async (text) => (note(text), await real.text(text)),
    json: async (value) => (note(JSON.stringify(value)), await real.json(value)),
    bytes: async (bytes) => (note(Buffer.from(bytes).toString()), await real.bytes(bytes)),
    stream: (source) => (note('a stream'), real.stream(source)),
    knowing: (values) => counting(real.knowing(values)),
  };
}

beforeEach(() => {
  searched = [];
  folder = new GitFolder({ 'fence.txt': 'one post\n' });
  const plain = stage({ workspace: folder.path });
  const context = { ...plain.context, redactor: async () => counting(await plain.context.redactor()) };
  at = { ...plain, context, staffetta: new Staffetta(context) };
});

afterEach(() => folder.remove());

async function handedOver(more: { readonly key?: string; readonly why?: string } = {}): Promise<void> {
  const leg = await at.staffetta.begin({ goal: 'A fence.' }, { as: ada });
  searched = [];
  const { key, ...said } = more;
  await leg.handoff({ to: 'agent:bea', ...words, ...said }, key === undefined ? {} : { key });
}

describe('a handoff', () => {
  test('is searched at the border and as it is sealed', async () => {
    await handedOver();
    expect(searched).toHaveLength(2);
  });

  test('is not searched more often because it may be repeated', async () => {
    await handedOver({ key: 'evening' });
    expect(searched).toHaveLength(2);
    expect(searched[0]).toContain('evening');
  });

  test('has each changed content searched once, and the diff', async () => {
    folder.write('fence.txt', 'two posts\n');
    folder.write('gate.txt', 'a gate\n');
    await handedOver();
    expect(searched).toHaveLength(2 + 3);
    expect(searched.filter((text) => text === 'two posts\n')).toHaveLength(1);
  });

  test('that holds a secret anywhere has it in no entry, whatever was searched before', async () => {
    await handedOver({ why: `the key is ${token}` });
    expect(searched.length).toBeGreaterThan(2);
    const world = JSON.stringify(at.world, (_, value: unknown) =>
      value instanceof Map ? [...value] : value instanceof Uint8Array ? Buffer.from(value).toString() : value,
    );
    expect(world).toContain('the key is');
    expect(world).not.toContain(token);
  });
});

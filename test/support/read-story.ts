/** Native records of one session as a story, and what it becomes: the drafted contract and the briefing. */
import type { Contract } from '../../src/core/contract/contract.ts';
import { briefing } from '../../src/core/briefing/briefing.ts';
import { draftContract } from '../../src/core/reasoning/draft.ts';
import { storyOf, type Story } from '../../src/core/transcript/story.ts';
import { allRuntimes } from '../../src/runtimes/index.ts';

export type RuntimeName = 'claude-code' | 'codex' | 'gemini-cli' | 'opencode';

export function storyRead(runtime: RuntimeName, records: readonly unknown[]): Story {
  const found = allRuntimes({}).find(({ name }) => name === runtime);
  const part = {
    runtime,
    session: 'read',
    before: 0,
    fromStart: true,
    records: records.map((record) =>
      record instanceof Uint8Array ? record : Buffer.from(JSON.stringify(record)),
    ),
    omissions: [],
  };
  return storyOf([part], () => found?.read.bind(found));
}

export interface Told {
  readonly story: Story;
  readonly goal: string;
  readonly constraints: readonly string[];
  /** Of the briefing, what stands outside the data marks. */
  readonly orders: string;
  readonly data: string;
}

export function toldOf(story: Story): Told {
  const drafted = draftContract(story).contract;
  const { goal, constraints = [] } = drafted;
  const contract: Contract = { v: 1, ...drafted };
  const { text } = briefing({
    of: { task: 't0123456789ab' },
    contract,
    packet: null,
    story,
    count: (given) => given.length / 4,
    budget: 4000,
  });
  const [begin, end] = [text.indexOf('<data>'), text.lastIndexOf('</data>')];
  return begin === -1
    ? { story, goal, constraints, orders: text, data: '' }
    : {
        story,
        goal,
        constraints,
        orders: text.slice(0, begin) + text.slice(end),
        data: text.slice(begin, end),
      };
}

/** A store with something of everything in it, made by several agents in a real repository. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openStaffetta } from '../../src/library/staffetta.ts';
import type { ControlRoom } from './control-room.ts';

export interface Filled {
  /** Held, with two packets, a question, a message and findings beside its claims. */
  readonly task: string;
  readonly dead: string;
  readonly escalated: string;
  readonly failed: string;
  readonly silent: string;
}

/** What an agent could write to do something to its reader. */
export const evil = '<img src=x onerror="document.title=1"><script>document.title=1</script><b>bold</b>';

/** A conversation, as the AI SDK keeps it. */
function talk(who: string, turns: number): string {
  const said = Array.from({ length: turns }, (_, n) => [
    { role: 'user', content: `Look at case ${n} of ${who}. ${n === 0 ? evil : ''}` },
    {
      role: 'assistant',
      content: [
        { type: 'text', text: `I look at \`src/a.js\` for case ${n}.\n\n- once\n- **twice**` },
        {
          type: 'tool-call',
          toolCallId: `c${n}`,
          toolName: 'bash',
          input: { command: `grep ${n} src/a.js` },
        },
      ],
    },
    {
      role: 'tool',
      content: [
        {
          type: 'tool-result',
          toolCallId: `c${n}`,
          toolName: 'bash',
          output: { type: 'text', value: `line ${n}` },
        },
      ],
    },
  ]);
  return JSON.stringify(said.flat());
}

export function repositoryIn(folder: string): void {
  const git = (...words: readonly string[]): void => {
    execFileSync('git', ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.com', ...words], {
      cwd: folder,
      stdio: 'ignore',
    });
  };
  mkdirSync(join(folder, 'src'));
  writeFileSync(join(folder, 'src', 'a.js'), 'export const a = 1;\n');
  writeFileSync(join(folder, '.gitignore'), '.staffetta/\n');
  git('init', '-q', '-b', 'main');
  git('add', '.');
  git('commit', '-qm', 'Begin.');
}

export async function fill({ folder, store }: Pick<ControlRoom, 'folder' | 'store'>): Promise<Filled> {
  repositoryIn(folder);
  const you = { name: 'you', kind: 'human' } as const;
  const plan = { name: 'planner', lane: 'plan' } as const;
  const code = { name: 'code-1', lane: 'execute' } as const;
  const relay = await openStaffetta({ store, workspace: folder, as: you, gate: 'record' });
  try {
    const { task } = await relay.open(
      {
        title: 'No user is created twice',
        goal: `Two requests with one session in src/a.js must not create two users. ${evil}`,
        acceptance: ['`node src/a.js` ends well', 'no user is created **twice**'],
        nonGoals: ['new dependencies'],
        constraints: ['keep the public interface'],
        validation: [{ run: [process.execPath, 'src/a.js'], name: 'runs' }],
        review: { human: true },
      },
      { to: 'lane:plan' },
    );
    const first = await relay.take({ task, as: plan });
    await first?.acknowledge();
    await first?.note('The table has no *unique* index.');
    await first?.decide('Use an upsert', { why: 'one statement is atomic', rejected: ['a lock in memory'] });
    await first?.handoff({
      to: 'lane:execute',
      claims: { done: [{ text: 'read the code', evidence: ['j3'] }], next: 'write the upsert in src/a.js:1' },
      transcript: talk('planner', 10),
    });
    const second = await relay.take({ task, as: code, leaseMs: 3_600_000 });
    await second?.acknowledge();
    writeFileSync(join(folder, 'src', 'a.js'), 'export const a = 2;\nexport const b = 3;\n');
    await second?.validate();
    await second?.ask('Keep the old header?', { options: ['yes', 'no'] });
    await second?.checkpoint({
      claims: {
        summary: `It is **atomic**. ${evil} [site](https://example.org/) [trap](javascript:alert(1)) ![far](https://example.org/x.png)`,
        done: [
          { text: 'upsert written in src/a.js', evidence: ['file:src/a.js', 's31', 'd1'] },
          'all is green',
        ],
        decisions: [{ text: 'Use an upsert', why: 'atomic', rejected: ['a lock'], evidence: ['d1'] }],
        failed: [{ what: 'a mutex', why: 'does not hold over processes', evidence: ['j4'] }],
        next: 'run the tests',
        command: 'node src/a.js',
      },
      artefacts: [{ path: 'src/a.js', why: 'the upsert' }, { path: 'gone.js' }],
      transcript: talk('code-1', 40),
    });
    await relay.tell(task, `Mind the cache. ${evil}`);

    const dying = await relay.begin({ goal: 'Nobody manages this.', caps: { attempts: 1 } }, { as: code });
    await dying.retry('the network is away');
    const stopped = await relay.begin({ goal: 'Two owners want it.' }, { as: code });
    await stopped.escalate(`They contradict each other. ${evil}`);
    const failing = await relay.begin({ goal: 'There is no way.' }, { as: code });
    await failing.fail('there is no such API');
    const silent = await relay.begin({ goal: 'Its holder is gone.' }, { as: code, leaseMs: 100 });
    return {
      task,
      dead: dying.task,
      escalated: stopped.task,
      failed: failing.task,
      silent: silent.task,
    };
  } finally {
    await relay.close();
  }
}

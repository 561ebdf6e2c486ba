/** What users come for, played with the package as it is installed, in an empty home, by what the README says; and counted: commands, and words of them. The counts stand in docs/stories.md. */
import { execFileSync, spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { plannedId } from '../../src/crew/run-names.ts';
import type { RuntimeName } from '../../src/ports/index.ts';
import { sandboxed } from '../support/sandboxed.ts';
import { newFolder, newWorkplace, node, type Json } from './command.ts';
import { claudePlace, fakePrograms, put, sessionText, type Started } from './programs.ts';

const root = join(import.meta.dirname, '..', '..');
const installed = newFolder();

/** As `npm install -g` leaves it; what it depends on comes from here instead of the registry. */
beforeAll(() => {
  const modules = join(installed, 'lib', 'node_modules');
  mkdirSync(modules, { recursive: true });
  mkdirSync(join(installed, 'bin'));
  const packed = spawnSync('npm', ['pack', '--ignore-scripts', '--pack-destination', installed], {
    cwd: root,
    encoding: 'utf8',
    env: { ...process.env, npm_config_cache: join(installed, 'cache') },
  });
  const tarball = join(installed, packed.stdout.trim());
  if (statSync(tarball).size > 4_000_000) throw new Error('the package has grown beyond 4 MB');
  execFileSync('tar', ['-xzf', tarball, '-C', modules]);
  execFileSync('mv', [join(modules, 'package'), join(modules, 'staffetta')]);
  symlinkSync(join(root, 'node_modules', 'zod'), join(modules, 'zod'));
  const command = join(modules, 'staffetta', 'bin', 'staffetta.cjs');
  chmodSync(command, 0o755);
  symlinkSync(command, join(installed, 'bin', 'staffetta'));
});

test('pictures and pages that the README names are in the package', () => {
  const folder = join(installed, 'lib', 'node_modules', 'staffetta');
  const named = [...readFileSync(join(folder, 'README.md'), 'utf8').matchAll(/\]\(([^)#:]+)/g)];
  const missing = named.map(([, path = '']) => path).filter((path) => !existsSync(join(folder, path)));
  expect([named.length > 20, missing]).toEqual([true, []]);
});

interface Typed {
  readonly stdout: string;
  readonly stderr: string;
}

interface Stage {
  readonly home: string;
  readonly folder: string;
  /** A line as it is typed into a shell: counted, and refused unless it ends as it should. */
  readonly type: (line: string, status?: number) => Typed;
  /** Looks at what came of it; not counted. */
  readonly see: (line: string) => string;
  readonly started: () => Started | null;
}

interface Story {
  readonly title: string;
  /** Programs that are there, and what they do. */
  readonly programs?: readonly RuntimeName[];
  readonly does?: string;
  readonly play: (stage: Stage) => void;
}

const changesFence = `require('node:fs').appendFileSync('fence.txt', 'two posts\\n');`;

function part(n: number): string {
  return `part-${String(n).padStart(2, '0')}.txt`;
}

const stories: readonly Story[] = [
  {
    title: 'A session died at its limit; Codex goes on',
    programs: ['claude-code', 'codex'],
    does: changesFence,
    play: ({ home, folder, type, see, started }) => {
      put(claudePlace(home, folder), sessionText('usage-limit.jsonl', folder));
      // There is no terminal here, where the question would be asked: --launch answers it.
      const ran = type('staffetta resume --in codex --launch');
      expect(ran.stderr).toContain('stopped at its usage limit');
      expect(started()).toMatchObject({ cwd: folder, stdin: expect.stringContaining('limit me') });
      const { tasks } = JSON.parse(see('staffetta ls --json')) as { tasks: readonly Json[] };
      expect(tasks).toMatchObject([{ status: 'offered', to: 'runtime:codex' }]);
      const { packet } = JSON.parse(see(`staffetta show ${String(tasks[0]?.['task'])} --json`)) as {
        packet: Json;
      };
      expect(JSON.stringify(packet)).toContain('fence.txt');
    },
  },
  {
    title: 'A planner, an executor, a reviewer and a person',
    play: ({ folder, type, see }) => {
      type(
        'staffetta open "Excess requests get a 429, as limits.txt says" --validate "grep -q 429 limits.txt" --review human --take --as ada --lane plan',
      );
      type('staffetta handoff --as ada --to lane:execute --next "write limits.txt"');
      type('staffetta take --as bea --lane execute');
      put(join(folder, 'limits.txt'), '100 a minute, then 429\n');
      type('staffetta ack --as bea --goal "429 on excess" --gate "limits.txt names it" --next "write it"');
      type('staffetta handoff --as bea --to lane:audit --next "read limits.txt"');
      const { stdout } = type('staffetta take --as cyd --lane audit');
      const task = /\bt[0-9a-z]{12}\b/.exec(stdout)?.[0] ?? '';
      type('staffetta ack --as cyd --goal "429 on excess" --gate "limits.txt names it" --next "read it"');
      type('staffetta submit --as cyd --prove --done "limits.txt names the limit and 429"');
      type(`staffetta review ${task} --approve --why "read it"`);
      expect(JSON.parse(see(`staffetta show ${task} --json`))).toMatchObject({ status: 'done' });
    },
  },
  {
    title: 'Fifty files over several agents, one of them killed',
    play: ({ home, folder, type, see }) => {
      const git = (...args: readonly string[]): string =>
        execFileSync('git', ['-C', folder, ...args], { encoding: 'utf8' });
      for (let n = 0; n < 50; n += 1) writeFileSync(join(folder, part(n)), `part ${n}\n`);
      git('add', '--all');
      git('commit', '-qm', 'Fifty parts.');
      const check = `for (let n = 0; n < 50; n += 1) if (require('node:fs').readFileSync('part-' + String(n).padStart(2, '0') + '.txt', 'utf8').split('stamp').length !== 2) throw new Error(n)`;
      const agent = join(root, 'test', 'crew', 'refactor.mjs');
      put(
        join(home, 'stamps.yaml'),
        JSON.stringify({
          goal: 'Every part is stamped once.',
          tasks: { stamp: { goal: 'Fifty parts are stamped.', validation: [{ run: [node, '-e', check] }] } },
          crew: { agents: { code: { lane: 'execute', command: [node, agent] } } },
        }),
      );
      expect(type('staffetta run ~/stamps.yaml').stdout).toContain('The run stamps is done: 1 task.');
      const stamps = Array.from(
        { length: 50 },
        (_, n) => git('show', `staffetta/stamps/+integrated:${part(n)}`).split('\nstamp').length - 1,
      );
      expect(stamps).toEqual(stamps.map(() => 1));
      const log = see(`staffetta log ${plannedId('stamps', 'stamp')} --json`)
        .trim()
        .split('\n');
      const events = log.flatMap(
        (entry) => (JSON.parse(entry) as { events: { type: string; at?: number }[] }).events,
      );
      const legs = events.filter(({ type: kind }) => kind === 'leg-started').length;
      expect([4, 5]).toContain(legs);
      const places = events.filter(({ type: kind }) => kind === 'progress-moved').map(({ at = 0 }) => at);
      expect(places).toEqual(places.toSorted((a, b) => a - b));
      expect(places.at(-1)).toBe(50);
    },
  },
  {
    title: 'A backfill rests at 730,000 and goes on there',
    play: ({ type, see }) => {
      type(
        'staffetta open "All rows of events are backfilled" --validate "node check.mjs" --take --as ada --lane execute',
      );
      type('staffetta progress --as ada --at 730000 --of 1000000 --unit rows --cursor "id > 730000"');
      const { tasks } = JSON.parse(see('staffetta ls --json')) as { tasks: readonly Json[] };
      const task = String(tasks[0]?.['task']);
      type(`staffetta pause ${task} --until 2h`);
      expect(JSON.parse(see(`staffetta take ${task} --as bea --lane execute --json || true`))).toMatchObject({
        error: { code: 'too-early' },
      });
      type('staffetta continue');
      const { stdout } = type('staffetta take --as bea --lane execute');
      expect(stdout).toContain('730000 of 1000000 rows');
      expect(stdout).toContain('id > 730000');
      type('staffetta ack --as bea --goal "backfill" --gate "check.mjs" --next "go on after 730000"');
      type('staffetta progress --as bea --at 1000000 --of 1000000 --unit rows');
      type('staffetta complete --as bea --prove --done "all rows are there"');
      expect(JSON.parse(see(`staffetta show ${task} --json`))).toMatchObject({ status: 'done' });
    },
  },
  {
    title: 'Phases, and one of them undone',
    play: ({ folder, type, see }) => {
      type(
        'staffetta open "Users sign in by key" --phase table --phase-verify "table: grep -q users table.sql" --phase-rollback "table: rm table.sql" --phase fill --phase-verify "fill: test -s fill.sql" --take --as ada --lane execute',
      );
      type('staffetta phase start table --as ada');
      put(join(folder, 'table.sql'), 'create table accounts\n');
      type('staffetta phase verify table --as ada', 6);
      type('staffetta phase rollback table --as ada --why "the wrong table"');
      expect(see('ls')).not.toContain('table.sql');
      type('staffetta phase start table --as ada');
      put(join(folder, 'table.sql'), 'create table users\n');
      type('staffetta phase verify table --as ada');
      type('staffetta phase start fill --as ada');
      put(join(folder, 'fill.sql'), 'insert into users\n');
      type('staffetta phase verify fill --as ada');
      type('staffetta complete --as ada --done "users sign in by key"');
      expect(JSON.parse(see('staffetta ls --all --json'))).toMatchObject({ tasks: [{ status: 'done' }] });
    },
  },
  {
    title: 'The relay of the library in a strict TypeScript project',
    play: ({ folder, type }) => {
      const readme = readFileSync(join(root, 'README.md'), 'utf8');
      put(join(folder, 'relay.ts'), /^```ts run\n([\s\S]*?)^```/m.exec(readme)?.[1] ?? '');
      put(join(folder, 'package.json'), JSON.stringify({ type: 'module', private: true }));
      put(
        join(folder, 'tsconfig.json'),
        JSON.stringify({
          compilerOptions: {
            target: 'es2024',
            module: 'nodenext',
            types: ['node'],
            strict: true,
            noUncheckedIndexedAccess: true,
            exactOptionalPropertyTypes: true,
            noPropertyAccessFromIndexSignature: true,
            noEmit: true,
          },
        }),
      );
      put(join(folder, '.gitignore'), 'node_modules\n');
      const modules = join(folder, 'node_modules');
      mkdirSync(join(modules, '@types'), { recursive: true });
      symlinkSync(join(installed, 'lib/node_modules/staffetta'), join(modules, 'staffetta'));
      for (const name of ['@types/node', 'undici-types', 'typescript', 'zod'])
        symlinkSync(join(root, 'node_modules', name), join(modules, name));
      type('node node_modules/typescript/bin/tsc');
      const { stdout } = type('node relay.ts');
      expect(stdout).toBe(
        '1 research plan handed-off\n2 code execute handed-off\n3 qa audit completed\ndone []\n',
      );
    },
  },
];

const counts = readFileSync(join(root, 'docs', 'stories.md'), 'utf8');

test.each(stories)('$title', ({ title, programs = [], does = '', play }) => {
  const home = newFolder();
  const folder = newWorkplace();
  const { env, started } = fakePrograms(home, programs, does);
  const typed: string[] = [];
  const run = (line: string): Typed & { readonly status: number | null } =>
    spawnSync('sh', ['-c', line], {
      cwd: folder,
      encoding: 'utf8',
      env: {
        ...sandboxed,
        LANG: 'C.UTF-8',
        KILLED: join(home, 'killed'),
        ...env,
        PATH: [join(home, 'bin'), join(installed, 'bin'), dirname(node), process.env['PATH']].join(':'),
      },
    });
  play({
    home,
    folder,
    started,
    type: (line, status = 0) => {
      typed.push(line);
      const ran = run(line);
      expect({ line, status: ran.status, stderr: ran.stderr }).toMatchObject({ status });
      return ran;
    },
    see: (line) => run(line).stdout,
  });
  const words = typed.join(' ').split(/\s+/).length;
  expect(counts).toContain(`| ${title} | ${typed.length} | ${words} |`);
});

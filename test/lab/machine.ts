/**
 * A machine of its own for a test: a home below a temporary folder in which all four programs are set up, a repository to work in, and an
 * environment that has nothing of the caller's but where programs are found. Whatever leaves loopback is sent to a port
 * where nobody listens.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import type { RuntimeName } from '../../src/ports/runtime.ts';
import { agents } from './agents/all.ts';

export interface Machine {
  readonly home: string;
  readonly work: string;
  readonly env: Readonly<Record<string, string>>;
  /** The same home, with its models at another place. */
  remodel(model: string): Machine;
  remove(): void;
}

/** Where each program is, as far as it is there. */
export type Programs = Partial<Readonly<Record<RuntimeName, string>>>;

const nowhere = 'http://127.0.0.1:9';

export function machine(programs: Programs, model: string): Machine {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'staffetta-lab-')));
  const home = join(root, 'home');
  const work = join(root, 'work');
  repository(work);
  const at = (model: string): Machine => ({
    home,
    work,
    env: environment(home, model, programs),
    remodel: at,
    remove: () => rmSync(root, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 }),
  });
  return at(model);
}

function environment(home: string, model: string, programs: Programs): Record<string, string> {
  const setting = { home, model };
  const { PATH = '' } = process.env;
  const folders = [process.execPath, ...Object.values(programs)].map((program) => dirname(program));
  const env: Record<string, string> = {
    HOME: home,
    PATH: [...folders, PATH].join(delimiter),
    LANG: 'C.UTF-8',
    NO_COLOR: '1',
    HTTP_PROXY: nowhere,
    HTTPS_PROXY: nowhere,
    NO_PROXY: '127.0.0.1,localhost',
  };
  for (const agent of Object.values(agents)) {
    Object.assign(env, agent.env(setting));
    for (const [path, text] of Object.entries(agent.files(setting))) {
      mkdirSync(dirname(join(home, path)), { recursive: true });
      writeFileSync(join(home, path), text);
    }
  }
  return env;
}

function repository(folder: string): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'README.md'), '# A repository of the lab\n');
  const git = (...args: string[]): void => {
    const identity = ['-c', 'user.name=lab', '-c', 'user.email=lab@example.com'];
    execFileSync('git', [...identity, ...args], {
      cwd: folder,
      env: { PATH: process.env['PATH'] ?? '', HOME: folder, GIT_CONFIG_NOSYSTEM: '1' },
      stdio: 'ignore',
    });
  };
  git('init', '-b', 'main');
  git('add', '.');
  git('commit', '-m', 'lab: begin');
}

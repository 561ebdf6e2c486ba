/**
 * A machine of its own for a test: a home below a temporary folder in which all programs are set up, a repository to work in, and an
 * environment that has nothing of the caller's but where programs are found. Whatever leaves loopback is sent to a port
 * where nobody listens.
 */
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import type { RuntimeName } from '../../src/ports/runtime.ts';
import { agents } from './agents/all.ts';

/** Where each program is, as far as it is there. */
export type Programs = Partial<Readonly<Record<RuntimeName, string>>>;

const nowhere = 'http://127.0.0.1:9';

export class Machine implements Disposable {
  /** For what belongs to a test and neither to a program nor to the work. */
  readonly root: string;
  readonly home: string;
  readonly work: string;
  readonly env: Readonly<Record<string, string>>;
  readonly #programs: Programs;

  private constructor(programs: Programs, model: string, like: Machine | null) {
    this.root = realpathSync(mkdtempSync(join(tmpdir(), 'staffetta-lab-')));
    this.home = join(this.root, 'home');
    this.work = like?.work ?? join(this.root, 'work');
    this.#programs = programs;
    if (like === null) repository(this.work);
    else cpSync(like.home, this.home, { recursive: true, verbatimSymlinks: true });
    this.env = this.#setUp(model);
  }

  static create(programs: Programs, model: string): Machine {
    return new Machine(programs, model, null);
  }

  /** A copy of the home with another model. The work is the same folder, since sessions name it. */
  copy(model: string): Machine {
    return new Machine(this.#programs, model, this);
  }

  [Symbol.dispose](): void {
    rmSync(this.root, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  }

  #setUp(model: string): Record<string, string> {
    const setting = { home: this.home, model };
    mkdirSync(join(this.root, 'tmp'));
    const folders = [process.execPath, ...Object.values(this.#programs)].map((program) => dirname(program));
    const env: Record<string, string> = {
      HOME: this.home,
      // Programs that are killed leave folders there.
      TMPDIR: join(this.root, 'tmp'),
      PATH: [...folders, process.env['PATH'] ?? ''].join(delimiter),
      LANG: 'C.UTF-8',
      NO_COLOR: '1',
      // Just below what a host grants a hook: a machine that is busy must not decide what is told.
      STAFFETTA_HOOK_MS: '9000',
      HTTP_PROXY: nowhere,
      HTTPS_PROXY: nowhere,
      NO_PROXY: '127.0.0.1,localhost',
    };
    for (const agent of Object.values(agents)) {
      Object.assign(env, agent.env(setting));
      for (const [path, text] of Object.entries(agent.files(setting))) {
        mkdirSync(dirname(join(this.home, path)), { recursive: true });
        writeFileSync(join(this.home, path), text);
      }
    }
    return env;
  }
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

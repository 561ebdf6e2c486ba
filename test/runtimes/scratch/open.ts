/** What the scratches of all programs have in common: places, the program that is asked for its version, and what is held in memory. */
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { RuntimeScratch } from '../../../src/conformance/index.ts';
import type { RuntimeName } from '../../../src/ports/index.ts';
import { imprint } from '../../workspace/tree.ts';

export const folder = '/home/dev/demo';
export const elsewhere = '/home/dev/elsewhere';

export type Shared = Pick<
  RuntimeScratch,
  'folder' | 'work' | 'into' | 'left' | 'imprint' | 'memory' | 'answers' | 'dispose'
>;

export interface Places extends Shared {
  readonly home: string;
  readonly bin: string;
  /** Where the stand-in for the program looks what to answer. */
  readonly answer: string;
}

const programs: Readonly<Record<RuntimeName, string>> = {
  'claude-code': 'claude',
  cline: 'cline',
  codex: 'codex',
  'copilot-cli': 'copilot',
  'gemini-cli': 'gemini',
  opencode: 'opencode',
  'qwen-code': 'qwen',
};

/** `script` is what the program does besides telling its version. */
export function places(runtime: RuntimeName, script = ''): Places {
  const top = realpathSync(mkdtempSync(join(tmpdir(), `staffetta-${runtime}-`)));
  const [home, bin, work, into] = ['home', 'bin', 'work', 'into'].map((name) => join(top, name)) as [
    string,
    string,
    string,
    string,
  ];
  for (const each of [home, bin, work, into]) mkdirSync(each);
  const program = join(bin, programs[runtime]);
  const answer = join(top, 'answer');
  writeFileSync(answer, '1.0.0');
  writeFileSync(program, `#!${process.execPath}\n${standIn(answer)}\n${script}\n`);
  chmodSync(program, 0o755);
  return {
    folder,
    home,
    bin,
    work,
    into,
    answer,
    left: () => readdirSync(into),
    imprint: () => imprint(home),
    memory,
    answers: (how) => {
      if (how === 'gone') rmSync(program);
      else writeFileSync(answer, how);
    },
    dispose: () => rmSync(top, { recursive: true, force: true }),
  };
}

function standIn(answer: string): string {
  return `const said = require('node:fs').readFileSync(${JSON.stringify(answer)}, 'utf8');
if (process.argv[2] === '--version') { if (said === 'fails') process.exit(1); console.log('program ' + said); process.exit(0); }`;
}

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

function memory(): number {
  collect();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

/** The lines of a file, without their ends. */
export function linesIn(path: string): Buffer[] {
  const text = readFileSync(path, 'latin1').split('\n');
  return text.slice(0, -1).map((line) => Buffer.from(line, 'latin1'));
}

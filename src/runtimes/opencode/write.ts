/**
 * A new session in the program's database. The way in is the program's own `import`: its tables are never written by us.
 * The file for it is made in a scratch folder and removed again; what was imported is captured, read and compared, and
 * deleted, again by the program, where it differs (RT9).
 */
import { spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { StaffettaError } from '../../core/base/error.ts';
import type { Transcript } from '../../core/transcript/step.ts';
import type { SessionPlace, WriteOptions as PortOptions, WrittenSession } from '../../ports/runtime.ts';
import { captureSession } from './capture.ts';
import { differenceOf } from './compare.ts';
import { compose } from './compose.ts';
import { databasePath, locateOpencode, type Env } from './locate.ts';
import { lastModel } from './last-model.ts';
import { read as readRecords } from './read/read.ts';

export interface WriteChoices extends Omit<PortOptions, 'into'> {
  readonly env: Env;
}

/** An import of a small session takes a second or two; one of a hundred thousand rows, a minute. */
const importMsMax = 300_000;

/** Bound to the folder it is given, with the model it is told, or else the one that was used last on this machine. */
export async function write(transcript: Transcript, options: WriteChoices): Promise<WrittenSession> {
  const program = locateOpencode(options.env)?.program ?? null;
  if (program === null) {
    throw new StaffettaError(
      'runtime-missing',
      'opencode is not on the PATH, and only it can take in a session.',
      {
        hint: 'Install opencode, or continue with a briefing in another program.',
      },
    );
  }
  const path = databasePath(options.env);
  const model = options.model ?? lastModel(path, options.folder) ?? refuseWithoutModel();
  const { folder, now, random } = options;
  const made = compose(transcript, { folder, model, now, random });
  if (made.carried.length === 0) {
    throw new StaffettaError('invalid-input', 'The transcript has no step that could be written.', {
      hint: 'Begin a new session with a briefing instead.',
    });
  }
  const run = (args: readonly string[]): Promise<Ended> => runProgram(program, args, options);
  const place: SessionPlace = { runtime: 'opencode', id: made.session, path };
  if (options.rehearse === true) return { place, omissions: made.omissions };
  const ended = await importText(made.text, run);
  const difference = await verify(place, made.carried);
  if (difference === null) return { place, omissions: made.omissions };
  // Harmless where nothing was imported.
  await run(['session', 'delete', made.session]);
  throw new StaffettaError(
    'unavailable',
    `opencode did not take in the session as it was written. ${difference}`,
    {
      hint: 'Nothing was left behind. Continue with a briefing instead.',
      details: { exit: ended.exit, said: ended.said },
    },
  );
}

function refuseWithoutModel(): never {
  throw new StaffettaError(
    'invalid-input',
    'opencode has used no model here yet, and a session must name one.',
    {
      hint: 'Give the model as provider/model.',
    },
  );
}

async function importText(text: string, run: (args: readonly string[]) => Promise<Ended>): Promise<Ended> {
  const scratch = await mkdtemp(join(tmpdir(), 'staffetta-opencode-'));
  try {
    const file = join(scratch, 'session.json');
    await writeFile(file, text, { flag: 'wx', mode: 0o600 });
    return await run(['import', file]);
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

async function verify(
  place: SessionPlace,
  carried: Parameters<typeof differenceOf>[0],
): Promise<string | null> {
  try {
    const records: Uint8Array[] = [];
    for await (const record of captureSession(place).records) records.push(record);
    return differenceOf(carried, readRecords(records));
  } catch (error) {
    if (error instanceof StaffettaError) return error.message;
    throw error;
  }
}

interface Ended {
  readonly exit: number | null;
  /** The end of what it said. */
  readonly said: string;
}

const saidCharsMax = 2000;

async function runProgram(
  program: string,
  args: readonly string[],
  { env, folder }: WriteChoices,
): Promise<Ended> {
  return await new Promise((resolve) => {
    let said = '';
    const child = spawn(program, args, {
      cwd: folder,
      // The program takes PWD for its folder, whatever the folder is in which it was started.
      env: { ...env, OPENCODE_DISABLE_AUTOUPDATE: '1', PWD: folder },
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: importMsMax,
    });
    const hear = (chunk: Buffer): void => {
      said = (said + chunk.toString('utf8')).slice(-saidCharsMax);
    };
    child.stdout.on('data', hear);
    child.stderr.on('data', hear);
    child.once('error', (error) => resolve({ exit: null, said: error.message }));
    child.once('close', (exit) => resolve({ exit, said }));
  });
}

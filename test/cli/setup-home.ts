/** A home in which coding agents have left settings, and repositories that are set up with them. */
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { newFolder, newWorkplace, staffetta, type Ran } from './command.ts';

export interface Place {
  readonly home: string;
  readonly folder: string;
  readonly run: (...args: readonly string[]) => Promise<Ran>;
}

export const theirs: Readonly<Record<string, string>> = {
  '.claude/settings.json': '{\n\t// mine\n\t"model": "x",\n\t"hooks": { "Stop": [ { "hooks": [] } ] },\n}\n',
  '.codex/config.toml': 'model = "x"\n[tui]\ntheme = "dark"',
  '.gemini/settings.json': '{"security":{"x":1}}',
  '.local/share/opencode/opencode.db': '',
  '.config/opencode/opencode.jsonc': '{ /* none */ }\n',
};

/** A home in which all four programs have left settings, and a repository. */
export function place(files = theirs): Place {
  const home = newFolder();
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(home, path)), { recursive: true });
    writeFileSync(join(home, path), text);
  }
  return placeIn(home);
}

/** Another repository of the same user. */
export function placeIn(home: string, folder = newWorkplace()): Place {
  writeFileSync(join(folder, 'AGENTS.md'), '# Rules\n\nBe kind.\n');
  const run = async (...args: readonly string[]): Promise<Ran> =>
    await staffetta(args, { cwd: folder, env: { HOME: home, PATH: dirname(process.execPath) } });
  return { home, folder, run };
}

/** Every file below a folder, with its bytes and its mode. */
export function contentOf(folder: string): Record<string, string> {
  return Object.fromEntries(
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((path) => !path.startsWith('.git/') && !statSync(join(folder, path)).isDirectory())
      .toSorted()
      .map((path) => {
        const full = join(folder, path);
        return [path, `${statSync(full).mode.toString(8)} ${readFileSync(full, 'latin1')}`];
      }),
  );
}

export function foldersOf(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => statSync(join(folder, path)).isDirectory())
    .toSorted();
}

/**
 * A real browser, if the machine has one. Chromium and its relatives are looked for by name; STAFFETTA_BROWSER names another. Nothing is
 * downloaded: where there is none, the tests say so and prove nothing.
 */
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { chromium, type Browser } from 'playwright-core';

const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'microsoft-edge'];
const places = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
];

export function browserPath(): string | undefined {
  const given = process.env['STAFFETTA_BROWSER'];
  if (given !== undefined && given !== '') return given;
  const folders = (process.env['PATH'] ?? '').split(delimiter).filter((folder) => folder !== '');
  return [...folders.flatMap((folder) => names.map((name) => join(folder, name))), ...places].find(canRun);
}

function canRun(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

export async function openBrowser(executablePath: string): Promise<Browser> {
  return await chromium.launch({
    executablePath,
    // A browser that runs as root has no sandbox of its own; the pages are ours.
    args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
  });
}

/** The browser to prove something with. Where there is none it says so, where nobody can miss it. */
export function browserFor(what: string): string | undefined {
  const path = browserPath();
  if (path === undefined)
    process.stderr.write(
      `\nNOT PROVEN: ${what}. There is no browser here; install chromium, or name one in STAFFETTA_BROWSER.\n`,
    );
  return path;
}

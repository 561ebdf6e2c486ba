// Part of `npm run pictures`: plays the README's one command at a real terminal, in an empty home with a session that died at its limit, and keeps what stood there as a picture.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

const root = join(import.meta.dirname, '..');
const columns = 108;
const home = realpathSync(mkdtempSync(join(tmpdir(), 'staffetta-terminal-')));
const folder = join(home, 'limits');
const env = {
  PATH: `${join(home, 'bin')}:${process.env['PATH'] ?? ''}`,
  HOME: home,
  TERM: 'xterm-256color',
  LANG: 'C.UTF-8',
};

function put(path: string, text: string, mode = 0o644): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text, { mode });
}

function git(...args: readonly string[]): void {
  const who = ['-c', 'user.name=dev', '-c', 'user.email=dev@example.com'];
  const { status, stderr } = spawnSync('git', [...who, '-C', folder, ...args], { env, encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr);
}

/** A repository in which Claude Code stopped, and two programs that are there. */
function prepare(): void {
  put(join(home, 'bin', 'claude'), '#!/bin/sh\necho 2.1.325\n', 0o755);
  put(join(home, 'bin', 'codex'), '#!/bin/sh\n[ "$1" = --version ] && echo codex-cli 0.166.0\n', 0o755);
  put(
    join(home, 'bin', 'staffetta'),
    `#!/bin/sh\nexec '${process.execPath}' '${root}/bin/staffetta.cjs' "$@"\n`,
    0o755,
  );
  put(join(folder, 'src', 'limit.ts'), 'export const perMinute = 100;\n');
  git('init', '-q', '-b', 'main');
  git('add', '.');
  git('commit', '-qm', 'Begin.');
  put(join(folder, 'src', 'limit.ts'), 'export const perMinute = 100;\nexport const status = 429;\n');
  const session = readFileSync(join(root, 'test/runtimes/fixtures/claude-code/usage-limit.jsonl'), 'utf8')
    .replaceAll('/home/dev/demo', folder)
    .replaceAll('limit me', 'Above 100 requests a minute answer 429; limit.test.ts has to pass.');
  const id = /"sessionId":"([^"]+)"/.exec(session)?.[1] ?? '';
  put(join(home, '.claude/projects', folder.replaceAll(/[^a-zA-Z0-9]/g, '-'), `${id}.jsonl`), session);
}

/** What a terminal was sent, and what was typed once certain words stood there. */
async function played(command: string, typed?: readonly [after: string, keys: string]): Promise<string> {
  const child = spawn('script', ['-qec', `stty cols ${columns} rows 40; ${command}`, '/dev/null'], {
    cwd: folder,
    env,
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  let text = '';
  child.stdout.on('data', (part: Buffer) => {
    const before = text;
    text += part.toString();
    if (typed !== undefined && text.includes(typed[0]) && !before.includes(typed[0]))
      child.stdin.write(typed[1]);
  });
  await once(child, 'close');
  return text;
}

interface Span {
  readonly text: string;
  readonly color: string;
  readonly isBold: boolean;
}

const plain = '#e6e6e6';
const colors: Readonly<Record<string, string>> = {
  2: '#9aa3af',
  31: '#f28b82',
  32: '#8fd18f',
  33: '#e5c07b',
  36: '#7fc8d8',
};

/** Colours and weight; movements of the cursor leave what stands there as it is. */
function spansOf(line: string): Span[] {
  const spans: Span[] = [];
  let color = plain;
  let isBold = false;
  // eslint-disable-next-line no-control-regex
  for (const [, codes, text = ''] of `\u001b[0m${line}`.matchAll(/\u001b\[([0-9;]*)[A-Za-z]([^\u001b]*)/g)) {
    for (const code of (codes ?? '').split(';')) {
      if (code === '0' || code === '') [color, isBold] = [plain, false];
      else if (code === '1') isBold = true;
      else if (code === '22') [color, isBold] = [color === colors['2'] ? plain : color, false];
      else if (code === '39') color = plain;
      else color = colors[code] ?? color;
    }
    if (text !== '') spans.push({ text, color, isBold });
  }
  return spans;
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

function picture(lines: readonly (readonly Span[])[], label: string): string {
  const [left, top, leading, letter] = [16, 30, 20, 8.2];
  const width = Math.ceil(left * 2 + columns * letter);
  const height = top + lines.length * leading;
  const rows = lines.map((spans, i) => {
    const words = spans.map(
      ({ text, color, isBold }) =>
        `<tspan fill="${color}"${isBold ? ' font-weight="bold"' : ''}>${escaped(text)}</tspan>`,
    );
    return `<text x="${left}" y="${top + i * leading}" xml:space="preserve">${words.join('')}</text>`;
  });
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" aria-label="${escaped(label)}"><rect width="${width}" height="${height}" rx="8" fill="#16181d"/><g font-family="ui-monospace, Menlo, Consolas, monospace" font-size="13.5">`,
    ...rows,
    '</g></svg>\n',
  ].join('\n');
}

try {
  prepare();
  const lines: Span[][] = [];
  for (const [command, typed] of [
    ['staffetta', undefined],
    ['staffetta resume --in codex', ['go on where it stopped: ', '\r']],
  ] as const) {
    lines.push([{ text: `$ ${command}`, color: '#8fd18f', isBold: false }]);
    const shown = (await played(command, typed)).replaceAll('\r', '').trimEnd();
    lines.push(...shown.split('\n').map(spansOf));
  }
  const label = 'A terminal: Claude Code stopped at its usage limit, and one command goes on in Codex';
  writeFileSync(join(root, 'docs', 'pictures', 'terminal.svg'), picture(lines, label));
} finally {
  rmSync(home, { recursive: true, force: true });
}

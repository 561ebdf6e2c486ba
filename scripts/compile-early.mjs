// V8 compiles a function when it is first called, and Node's compile cache keeps what was compiled with its file alone: a command would
// compile all that it calls anew at every run, which was a quarter of what `staffetta note` costs. A function in parentheses is compiled with its
// file. So the built commands and hooks are run once as they are run most, and the functions that were called are put in parentheses.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseAst } from 'rolldown/parseAst';

/** In the files of commands and hooks below a folder. */
export function compileEarly(root) {
  const scratch = mkdtempSync(join(tmpdir(), 'staffetta-build-'));
  try {
    run(root, scratch);
    for (const [file, called] of calledIn(join(scratch, 'coverage')))
      if (/[\\/]dist[\\/](?:cli|hook)[\\/]/.test(file))
        writeFileSync(file, marked(readFileSync(file, 'utf8'), called));
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

function run(root, scratch) {
  const cwd = join(scratch, 'work');
  mkdirSync(cwd);
  const env = { PATH: process.env.PATH, HOME: scratch, USERPROFILE: scratch };
  const start = (args, input = '') =>
    execFileSync(process.execPath, args, {
      cwd,
      input,
      env: { ...env, NODE_V8_COVERAGE: join(scratch, 'coverage') },
      stdio: ['pipe', 'ignore', 'pipe'],
    });
  const staffetta = (...words) => start([join(root, 'bin/staffetta.cjs'), ...words]);
  const hook = (event) =>
    start(
      [join(root, 'dist/hook/main.cjs'), 'claude-code', 'PostToolUse'],
      JSON.stringify({ session_id: '11111111-2222-3333-4444-555555555555', cwd, ...event }),
    );
  execFileSync('git', ['init', '-q'], { cwd, env });
  writeFileSync(join(cwd, 'notes.txt'), 'new\n');
  const agent = ['--as', 'claude-code-55555555', '--runtime', 'claude-code'];
  staffetta(
    'open',
    'Take notes',
    '--as',
    'ada',
    '--accept',
    'Somebody can tell.',
    '--to',
    'claude-code-55555555',
  );
  staffetta('take', ...agent);
  staffetta(
    'ack',
    ...agent,
    '--goal',
    'Notes are taken',
    '--gate',
    'Somebody can tell',
    '--next',
    'Take one',
  );
  staffetta('note', 'the limiter comes before auth', ...agent);
  // What stands in a file of notes when it is first seen is no news.
  writeFileSync(join(cwd, 'NOTES.md'), '');
  hook({ tool_name: 'Bash', tool_input: { command: 'staffetta take' } });
  hook({ tool_name: 'Read' });
  writeFileSync(join(cwd, 'NOTES.md'), 'a note\n');
  hook({ tool_name: 'Edit' });
  staffetta('ls');
  staffetta('sessions');
  staffetta('handoff', ...agent, '--to', 'bea', '--done', 'a half', '--next', 'go on');
}

/** By file, where the functions begin and end that were called. */
function calledIn(folder) {
  const files = new Map();
  for (const name of readdirSync(folder)) {
    const { result } = JSON.parse(readFileSync(join(folder, name), 'utf8'));
    for (const { url, functions } of result) {
      if (!url.startsWith('file:')) continue;
      const file = fileURLToPath(url);
      if (!files.has(file)) files.set(file, new Set());
      for (const { ranges } of functions)
        if (ranges[0].count > 0) files.get(file).add(`${ranges[0].startOffset}-${ranges[0].endOffset}`);
    }
  }
  return files;
}

/** A declaration cannot stand in parentheses: it becomes a variable before all else, where it can be called from as early as before. */
function marked(source, called) {
  const program = parseAst(source);
  const parentheses = [];
  const declarations = [];
  visit(program, (node, parent) => {
    if (!called.has(`${node.start}-${node.end}`)) return;
    const isPlain =
      node.type === 'FunctionExpression' && /^(?:async )?function/.test(source.slice(node.start));
    if (isPlain || node.type === 'ArrowFunctionExpression')
      parentheses.push([node.start, '('], [node.end, ')']);
    else if (node.type === 'FunctionDeclaration' && parent === program) declarations.push(node);
  });
  parentheses.sort(([a], [b]) => a - b);
  const text = (from, to) => {
    let at = from;
    let out = '';
    for (const [position, mark] of parentheses) {
      if (mark === '(' ? position < from || position >= to : position <= from || position > to) continue;
      out += source.slice(at, position) + mark;
      at = position;
    }
    return out + source.slice(at, to);
  };
  let [early, rest, at] = ['', '', 0];
  for (const { id, start, end } of declarations) {
    early += `var ${id.name}=(${source.slice(start, id.start).trim()}${text(id.end, end)});`;
    rest += text(at, start);
    at = end;
  }
  return withPlainExports(`${early}${rest}${text(at, source.length)}`, program);
}

/** What never changes needs no function by which other files ask for it. */
function withPlainExports(text, { body }) {
  const fixed = new Set();
  for (const { type, kind, id, declarations } of body) {
    if (type === 'FunctionDeclaration' || type === 'ClassDeclaration') fixed.add(id.name);
    if (type === 'VariableDeclaration' && kind === 'const')
      for (const each of declarations) fixed.add(each.id.name);
  }
  return text.replaceAll(
    /Object\.defineProperty\(exports,"([\w$]+)",\{enumerable:!0,get:\(?function\(\)\{return ([\w$]+)\}\)?\}\)/g,
    (whole, name, value) => (fixed.has(value) ? `exports.${name}=${value}` : whole),
  );
}

function visit(node, see, parent) {
  if (typeof node?.type === 'string') see(node, parent);
  for (const value of Object.values(node))
    if (typeof value === 'object' && value !== null) visit(value, see, Array.isArray(node) ? parent : node);
}

#!/usr/bin/env node
'use strict';
// Runs on any Node: goes on with this one if it opens every store, else with the one beside it, else with this one as far as it can, else
// says what to do. Calls are written on one line: the comma that a formatter puts at the end of a longer one is an error to Node 6.
const fs = require('fs');
const path = require('path');
const beside = require('./node-beside.cjs');
const needed = require('./needed.cjs');
const { withoutWarningOfSqlite } = require('./sqlite-here.cjs');

const root = path.join(__dirname, '..');
const main = path.join(root, 'dist', 'cli', 'main.cjs');

function start() {
  const { enableCompileCache } = require('module');
  if (enableCompileCache) enableCompileCache();
  try {
    require(main).start();
  } catch (error) {
    if (!error || error.code !== 'MODULE_NOT_FOUND' || !String(error.message).includes('main.cjs'))
      throw error;
    fail('it is not built yet; run: npm run build');
  }
}

// The other Node takes this one's place: its streams, its signals, its end.
function goOnWith(node) {
  const { spawn } = require('child_process');
  const env = Object.assign({}, process.env, { STAFFETTA_NODE_CHOSEN: '1' });
  const child = spawn(node, [__filename].concat(process.argv.slice(2)), { stdio: 'inherit', env });
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'];
  for (const signal of signals) process.on(signal, () => child.kill(signal));
  child.on('error', (error) => fail(`${node} cannot be started: ${error.message}`));
  child.on('exit', (code, signal) => {
    if (signal === null) process.exit(code);
    for (const each of signals) process.removeAllListeners(each);
    process.kill(process.pid, signal);
  });
}

function fail(text) {
  process.stderr.write(`staffetta: ${text}\n`);
  process.exitCode = 1;
}

// What can be asked of a Node that runs nothing else.
function answerTo(asked) {
  const wants = (words) => asked.some((one) => words.includes(one));
  if (wants(['--version'])) return `${JSON.parse(textOf('package.json')).version}\n`;
  return wants(['--help', '-h']) || asked[0] === 'help' ? textOf('dist/cli/help.txt') : undefined;
}

function textOf(name) {
  return fs.readFileSync(path.join(root, name), 'utf8');
}

function refuse(versions) {
  const name = beside.nodePackage();
  const other = `, or put one beside this package with: ${beside.nodeInstall(root)}`;
  fail(`${beside.nodeAdvice(versions)}${beside.packaged.includes(name) ? other : ''}`);
}

// A chosen Node that will not do either must not choose again.
const chosen = process.env.STAFFETTA_NODE_CHOSEN === '1';
delete process.env.STAFFETTA_NODE_CHOSEN;
withoutWarningOfSqlite();
const versions = beside.versionsHere();
const other = beside.isSuitableNode(versions) || chosen ? undefined : beside.nodeBeside(root);
if (other !== undefined) goOnWith(other);
else if (needed.isUsableNode(versions.node)) start();
else {
  const answer = answerTo(process.argv.slice(2));
  refuse(versions);
  if (answer !== undefined) {
    process.stdout.write(answer);
    process.exitCode = 0;
  }
}

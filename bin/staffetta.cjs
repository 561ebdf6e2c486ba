#!/usr/bin/env node
'use strict';
// Runs on any Node: goes on with this one if it will do, else with the one beside it, else says what to do.
const path = require('path');
const {
  isSuitableNode,
  nodeAdvice,
  nodeBeside,
  nodePackage,
  packaged,
  versionsHere,
} = require('./node-beside.cjs');
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

// A chosen Node that will not do either must not choose again.
const chosen = process.env.STAFFETTA_NODE_CHOSEN === '1';
delete process.env.STAFFETTA_NODE_CHOSEN;
withoutWarningOfSqlite();
const versions = versionsHere();
const node = isSuitableNode(versions) ? process.execPath : chosen ? undefined : nodeBeside(root);
if (node === process.execPath) start();
else if (node !== undefined) goOnWith(node);
else {
  const beside = packaged.includes(nodePackage())
    ? `, or put one beside this package with: npm install ${nodePackage()}@24`
    : '';
  fail(`${nodeAdvice(versions)}${beside}`);
}

#!/usr/bin/env node
'use strict';
// Runs on any Node: goes on with this one if it will do, else with the one beside it, else says what to do.
const path = require('node:path');
const { isSuitableNode, nodeBeside } = require('./node-beside.cjs');

const root = path.join(__dirname, '..');
const main = path.join(root, 'dist', 'cli', 'main.js');

if (isSuitableNode(process.versions)) {
  const { enableCompileCache } = require('node:module');
  if (enableCompileCache) enableCompileCache();
  import(require('node:url').pathToFileURL(main).href).catch((error) => {
    const unbuilt =
      error && error.code === 'ERR_MODULE_NOT_FOUND' && String(error.message).includes('main.js');
    process.stderr.write(
      unbuilt ? 'staffetta: not built yet; run: npm run build\n' : `${(error && error.stack) || error}\n`,
    );
    process.exitCode = 1;
  });
} else {
  const node = nodeBeside(root);
  if (node === undefined) {
    process.stderr.write(
      `staffetta: Node ${process.versions.node} is too old; install Node 24 (or 22.23 and newer), or put it beside this package with: npm install node-${process.platform}-${process.arch}@24\n`,
    );
    process.exitCode = 1;
  } else {
    const { spawnSync } = require('node:child_process');
    const done = spawnSync(node, [__filename, ...process.argv.slice(2)], { stdio: 'inherit' });
    if (done.signal) process.kill(process.pid, done.signal);
    else process.exitCode = done.status === null ? 1 : done.status;
  }
}

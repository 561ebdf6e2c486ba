'use strict';
// Plain JavaScript for any Node: which Node is good enough, and whether one lies beside the package.
const fs = require('fs');
const path = require('path');

const nodeMin = [22, 18, 0];
// Older SQLite can damage a store that several processes write.
const sqliteMin = [3, 51, 3];

function atLeast(version, min) {
  const parts = String(version || '0')
    .split('.')
    .map(Number);
  for (let i = 0; i < 3; i += 1) {
    if ((parts[i] || 0) !== min[i]) return (parts[i] || 0) > min[i];
  }
  return true;
}

function isSuitableNode(versions) {
  return atLeast(versions.node, nodeMin) && atLeast(versions.sqlite, sqliteMin);
}

/** The package on the npm registry that carries the Node binary for this machine. */
function nodePackage() {
  return `node-${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`;
}

/** A Node 24 binary that was installed for this package: by its own toolchain, or as a package next to it. */
function nodeBeside(root) {
  const file = process.platform === 'win32' ? 'node.exe' : 'node';
  const folders = [
    path.join(root, 'toolchain', 'node_modules'),
    path.join(root, 'node_modules'),
    path.join(root, '..'),
  ];
  return folders
    .map((folder) => path.join(folder, nodePackage(), 'bin', file))
    .find((binary) => fs.existsSync(binary));
}

module.exports = { isSuitableNode, nodeBeside, nodePackage };

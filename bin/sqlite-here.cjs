'use strict';
// Plain JavaScript for any Node.

// Node 22 calls its SQLite experimental when it is loaded. Which SQLite will do is checked by us; the words would be in the way of
// a program that reads stderr for something that is wrong.
function withoutWarningOfSqlite() {
  const warn = process.emitWarning.bind(process);
  process.emitWarning = function emitWarning(warning) {
    if (!String(warning).startsWith('SQLite is an experimental feature')) warn.apply(undefined, arguments);
  };
}

let asked;

/**
 * The version of the SQLite that runs, by its own word; undefined where there is none. `process.versions` has the one that Node was
 * compiled with: a Node that links the system's SQLite runs another.
 */
function sqliteHere() {
  if (asked === undefined) {
    const sqlite = process.getBuiltinModule && process.getBuiltinModule('node:sqlite');
    if (!sqlite) return undefined;
    const db = new sqlite.DatabaseSync(':memory:');
    asked = db.prepare('SELECT sqlite_version() AS version').get().version;
    db.close();
  }
  return asked;
}

module.exports = { sqliteHere, withoutWarningOfSqlite };

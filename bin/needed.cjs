'use strict';
// What Staffetta needs, in plain JavaScript for any Node. These numbers stand nowhere else in the code.
module.exports = {
  node: '22.18.0',
  // Older ones can damage a store that several processes write: docs/decisions/0012-refuse-old-sqlite.md
  sqlite: '3.51.3',
  // Of the lines in long-term support, the releases from which on that SQLite is inside. Seen by asking them: 22.22.2 and
  // 24.14.1 carry 3.51.2.
  carriers: ['24.15', '22.23'],
};

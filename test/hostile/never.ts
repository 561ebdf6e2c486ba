/** Stands for a reader whose pattern has more ways to fail than anybody can wait for. */
import { writeSync } from 'node:fs';

writeSync(1, '0\ta pattern that backtracks\n');
/^(?:a|a)*$/.test(`${'a'.repeat(200)}b`);

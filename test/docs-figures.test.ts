/** Figures and lists that pages repeat from the code: one that is changed in one place only is found. */
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { limits } from '../src/core/base/limits.ts';
import { inlineBytesMax } from '../src/handoff/sealing/keeper.ts';
import { serverLimits } from '../src/server/limits.ts';
import { packedLimits } from '../src/workspace/packed.ts';

const root = join(import.meta.dirname, '..');

function textOf(file: string): string {
  return readFileSync(join(root, file), 'utf8');
}

const kib = (bytes: number): string => `${bytes / 1024} KiB`;
const mib = (bytes: number): string => `${bytes / 1024 ** 2} MiB`;
const gib = (bytes: number): string => `${bytes / 1024 ** 3} GiB`;
const seconds = (ms: number): string => `${ms / 1000} s`;

/** What a page says, with its figures taken from the code. */
const figures: readonly (readonly [page: string, says: string])[] = [
  ['docs/errors.md', `An entry over ${kib(limits.entryBytesMax)}`],
  ['docs/errors.md', `a contract over ${kib(limits.contractBytesMax)}`],
  ['docs/errors.md', `a packet over ${mib(limits.packetBytesMax)} without its transcript`],
  ['docs/errors.md', `a transcript over ${gib(limits.transcriptBytesMax)} in one packet`],
  ['docs/errors.md', `a blob over ${mib(limits.blobBytesMax)}`],
  ['docs/export-format.md', `at most ${mib(limits.blobBytesMax)}`],
  ['docs/export-format.md', `on one line of at most ${mib(limits.archiveLineBytesMax)}`],
  ['docs/findings.md', `The cap is ${limits.briefingTokensMax.toLocaleString('en')} tokens`],
  ['docs/journal-format.md', `A body has at most ${kib(limits.entryBytesMax)}`],
  ['docs/journal-format.md', `canonical JSON, at most ${kib(limits.contractBytesMax)}`],
  ['docs/journal-format.md', `canonical JSON, at most ${mib(limits.packetBytesMax)}`],
  ['docs/library.md', `one packet may add up to ${gib(limits.transcriptBytesMax)}`],
  ['docs/protocol.md', `content over ${mib(inlineBytesMax)}, as blobs`],
  ['docs/protocol.md', `beyond the first ${mib(inlineBytesMax)} is stored`],
  ['docs/protocol.md', `When the contract's attempts are used up (${limits.attemptsMaxDefault} unless told)`],
  ['docs/protocol.md', `handoff after ${limits.idleHopsMax} hops in a row`],
  ['docs/protocol.md', `At most ${limits.waitingMax} messages and ${limits.waitingMax} questions can wait`],
  ['docs/server.md', `over ${kib(serverLimits.bodyBytesMax)}`],
  ['docs/server.md', `it did not arrive within ${seconds(serverLimits.bodyMs)}`],
  ['docs/server.md', `One that takes nothing for ${seconds(serverLimits.stalledMs)} is cut off`],
  ['docs/server.md', `A comment every ${seconds(serverLimits.heartbeatMs)}`],
  [
    'docs/server.md',
    `room for ${serverLimits.liveClientsMax} listeners, ${serverLimits.liveClientsPerActor} of them of one person; one agent has at most ${serverLimits.liveClientsPerAgent}`,
  ],
  [
    'SECURITY.md',
    `${mib(packedLimits.fileBytesMax)} unpacked for a file and ${mib(packedLimits.captureBytesMax)} for a capture`,
  ],
];

test.each(figures)('%s says: %s', (page, says) => {
  expect(textOf(page).replaceAll(/\s+/g, ' ')).toContain(says);
});

test('docs/architecture.md is what the pages of the rooms and the table of arrows say', () => {
  const ran = spawnSync(process.execPath, [join(root, 'scripts/rooms.mjs'), '--check'], { encoding: 'utf8' });
  expect(ran.stderr.split('\n').find((line) => line.startsWith('Error'))).toBe(undefined);
  expect(ran.status).toBe(0);
});

describe('the promises', () => {
  const promised = [...textOf('docs/protocol.md').matchAll(/^\| \*\*(P\d+)\*\* \|/gm)].map(([, id]) => id);

  test('are numbered from 1 without gaps', () => {
    expect(promised).toEqual(Array.from({ length: 12 }, (_, i) => `P${i + 1}`));
  });

  test('are all that comments and tests cite', () => {
    const files = execFileSync('git', ['ls-files', 'src', 'test', 'web/src'], { cwd: root, encoding: 'utf8' })
      .split('\n')
      .filter((file) => file.endsWith('.ts') && existsSync(join(root, file)));
    const cited = files.flatMap((file) =>
      [...textOf(file).matchAll(/(?:^\/\*\* |'|\()((?:P\d{1,2}(?:, )?)+)(?=[:,)])/gm)].flatMap(
        ([, ids = '']) => ids.split(', ').filter((id) => id !== '' && !promised.includes(id)),
      ),
    );
    expect(cited).toEqual([]);
    expect(promised.length).toBeGreaterThan(0);
  });
});

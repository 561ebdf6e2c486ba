// `npm run bench`: takes the `measures`, prints one table and keeps it in docs/benchmarks.md, with pictures in docs/pictures.
//   --only NAME   one of the measures below; nothing is kept
//   --no-write    keep nothing
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { measureChainSize } from './measures/chain-size.ts';
import { measureControlRoom } from './measures/control-room.ts';
import { measureCrewPeers } from './measures/crew-peers.ts';
import { measureCrew } from './measures/crew.ts';
import { measureEmergency } from './measures/emergency.ts';
import { measureHistory } from './measures/history.ts';
import { measureHooks } from './measures/hooks.ts';
import { measureIntegration } from './measures/integration.ts';
import { measureLangGraph } from './measures/langgraph.ts';
import { measureLint } from './measures/lint.ts';
import { load, machine } from './machine.ts';
import { measureMcp } from './measures/mcp.ts';
import { measureNeeds } from './measures/needs.ts';
import { measurePostgres } from './measures/postgres.ts';
import { measureRates } from './measures/rates.ts';
import { measureRedaction } from './measures/redaction.ts';
import { document, pictures, table } from './report.ts';
import { measureSealing } from './measures/sealing.ts';
import type { Section } from './section.ts';
import { measureSessions } from './measures/sessions.ts';
import { measureStartUp } from './measures/start-up.ts';
import { measureTransfer } from './measures/transfer.ts';
import { measureWorkspace } from './measures/workspace.ts';

type Measure = (scratch: string) => Promise<Section[]>;

const measures: Readonly<Record<string, Measure>> = {
  transfer: async (scratch) => [await measureTransfer(scratch)],
  chain: async (scratch) => {
    const sized = await measureChainSize(scratch);
    return [sized.section, await measureHistory(scratch, sized)];
  },
  langgraph: async (scratch) => [await measureLangGraph(scratch)],
  'start-up': async (scratch) => [await measureStartUp(scratch)],
  hooks: async (scratch) => [await measureHooks(scratch)],
  workspace: async (scratch) => [await measureWorkspace(scratch)],
  integration: async (scratch) => [await measureIntegration(scratch)],
  sealing: async (scratch) => [await measureEmergency(scratch), await measureSealing(scratch)],
  lint: async () => [await measureLint()],
  redaction: async () => [await measureRedaction()],
  sessions: async (scratch) => [await measureSessions(scratch)],
  mcp: async (scratch) => [await measureMcp(scratch)],
  'control-room': async (scratch) => [await measureControlRoom(scratch)],
  needs: async (scratch) => [await measureNeeds(scratch)],
  crew: async (scratch) => [await measureCrew(scratch)],
  postgres: async () => [await measurePostgres()],
  'crew-peers': async (scratch) => [await measureCrewPeers(scratch)],
  rates: async (scratch) => [await measureRates(scratch)],
};

const { values } = parseArgs({
  options: { only: { type: 'string' }, 'no-write': { type: 'boolean', default: false } },
});
const names = values.only === undefined ? Object.keys(measures) : [values.only];
const scratch = mkdtempSync(join(tmpdir(), 'staffetta-bench-'));
const sections: Section[] = [];
const loadBefore = load();
try {
  for (const name of names) {
    const measure = measures[name];
    if (measure === undefined)
      throw new Error(`no measure ${name}; one of: ${Object.keys(measures).join(', ')}`);
    process.stderr.write(`Measuring: ${name}\n`);
    sections.push(...(await measure(scratch)));
  }
  process.stdout.write(`${table(sections)}\n`);
  if (values.only === undefined && !values['no-write']) {
    const docs = join(import.meta.dirname, '..', 'docs');
    const kept = join(docs, 'benchmarks.md');
    mkdirSync(join(docs, 'pictures'), { recursive: true });
    for (const [name, svg] of pictures(sections)) writeFileSync(join(docs, 'pictures', name), svg);
    const busy = ['load', `${loadBefore} before, ${load()} after`] as const;
    const judged = readFileSync(join(import.meta.dirname, 'real', 'judged.md'), 'utf8');
    writeFileSync(kept, document(sections, [...machine(scratch), busy], judged));
  }
} finally {
  rmSync(scratch, { recursive: true, force: true });
}

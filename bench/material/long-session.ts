/** Sessions as coding agents leave them, of any length, in the format of any program that keeps them in files. */
import { randomBytes } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Step, Transcript } from '../../src/core/transcript/step.ts';
import type { Runtime, SessionPlace } from '../../src/ports/runtime.ts';
import { sourceText } from '../measures/redaction.ts';

/** Turns of a person, an agent that calls a tool, and its result: some kilobytes each. */
export function longTranscript(bytes: number, resultBytes = 3000): Transcript {
  const source = sourceText().toString('utf8');
  const steps: Step[] = [];
  let size = 0;
  for (let turn = 0; size < bytes; turn += 1) {
    const at = (turn * resultBytes) % (source.length - resultBytes);
    const text = source.slice(at, at + resultBytes);
    const call = `call_${turn}`;
    const id = steps.length + 1;
    steps.push(
      {
        id,
        source: 'user',
        at: turn * 1000,
        text: `Please look at part ${turn} and say what it does.`,
        record: id - 1,
      },
      {
        id: id + 1,
        source: 'agent',
        at: turn * 1000 + 500,
        text: `I will read part ${turn}.`,
        calls: [{ id: call, tool: 'Bash', args: { command: `sed -n ${turn},+40p src/part.ts` } }],
        results: [{ call, text, failed: false }],
        record: id,
      },
      {
        id: id + 2,
        source: 'agent',
        at: turn * 1000 + 900,
        text: `Part ${turn} reads and checks.`,
        record: id + 1,
      },
    );
    size += resultBytes + 900;
  }
  return {
    facts: {
      runtime: 'claude-code',
      session: 'bench',
      version: null,
      model: null,
      folder: null,
      branch: null,
      commit: null,
      startedAt: 0,
      title: null,
      parent: null,
    },
    steps,
    omissions: [],
    unanswered: [],
  };
}

export async function writeSession(
  runtime: Runtime,
  transcript: Transcript,
  folder: string,
): Promise<SessionPlace> {
  const into = join(folder, 'into');
  mkdirSync(into, { recursive: true });
  const { place } = await runtime.write(transcript, {
    folder,
    into,
    now: Date.now(),
    random: (count) => randomBytes(count),
  });
  return place;
}

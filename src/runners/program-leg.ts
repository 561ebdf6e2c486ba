/** A leg of a program that lives from its first turn to its last, and is spoken to in a protocol. */
import { setImmediate as others } from 'node:timers/promises';
import type { OpenLeg } from '../ports/runner.ts';
import type { AgentProgram } from './agent-program.ts';
import { settlesWithin, type Turns } from './turns.ts';

export interface Talk {
  readonly session: () => OpenLeg['session'];
  /** Puts a prompt to the agent. What it answers ends the turn. */
  readonly begin: (prompt: string) => void;
  /** Asks it to end its turn. */
  readonly cancel: () => void;
  readonly graceMs: number;
}

export function programLeg(program: AgentProgram, turns: Turns, talk: Talk): OpenLeg {
  let isOver = false;
  const watch = async (): Promise<void> => {
    const { exit, signal } = await program.over;
    isOver = true;
    turns.end({ how: 'ended', exit, signal, said: program.complaint() });
  };
  const over = watch();
  return {
    get session() {
      return talk.session();
    },
    async turn(prompt) {
      if (isOver) return { how: 'ended', said: program.complaint() };
      const ended = turns.begin();
      if (ended === null) return { how: 'refused', said: 'Another turn is under way.' };
      talk.begin(prompt);
      return await ended;
    },
    async stop() {
      const ended = turns.underWay;
      if (ended === null) return;
      turns.willStop();
      turns.dropQuestions();
      // The answers go first.
      await others();
      talk.cancel();
      if (await settlesWithin(ended, talk.graceMs)) return;
      await program.end();
      turns.end({ how: 'stopped' });
    },
    async close() {
      turns.willStop();
      turns.dropQuestions();
      await others();
      program.hangUp();
      const left = await program.end();
      if (left.length === 0) await over;
      turns.end({ how: 'stopped' });
      return { left };
    },
  };
}

/** A process that briefs one session after the other, as it is told to. What hangs in it is ended from outside. */
import { readFileSync } from 'node:fs';
import { briefingsOf, warmUp, type Made } from './briefing-of.ts';
import type { Capture } from './captures.ts';
import { editedFiles } from './edit-records.ts';
import { humanWords } from './human-records.ts';
import { messagesOf, toldIn, type Told } from './told.ts';

export interface Job {
  readonly capture: Capture;
  readonly budgets: readonly number[];
}

export interface Briefed {
  /** From the file to the briefing of the first budget. */
  readonly ms: number;
  /** Of the processor, for the same. */
  readonly cpuMs: number;
  readonly messages: number;
  readonly edited: number;
  /** One for each budget. */
  readonly made: readonly (Made & Told & { readonly budget: number })[];
}

export type Answer = { readonly briefed: Briefed } | { readonly refused: string };

async function briefed({ capture, budgets }: Job): Promise<Briefed> {
  const started = performance.now();
  const cpu = process.cpuUsage();
  const brief = await briefingsOf(capture);
  const first = brief(budgets[0] ?? 2000);
  const ms = performance.now() - started;
  const { user, system } = process.cpuUsage(cpu);
  const text = readFileSync(capture.path, 'utf8');
  const facts = { human: humanWords(text), edited: editedFiles(text) };
  return {
    ms,
    cpuMs: (user + system) / 1000,
    messages: messagesOf(facts.human).length,
    edited: facts.edited.length,
    made: budgets.map((budget, i) => {
      const made = i === 0 ? first : brief(budget);
      return { budget, text: made.text, tokens: made.tokens, ...toldIn(made.text, facts) };
    }),
  };
}

process.on('message', (job: Job) => {
  void briefed(job).then(
    (done) => process.send?.({ briefed: done } satisfies Answer),
    (error: unknown) => process.send?.({ refused: String(error).slice(0, 300) } satisfies Answer),
  );
});
process.on('disconnect', () => process.exit(0));
await warmUp();
process.send?.('ready');

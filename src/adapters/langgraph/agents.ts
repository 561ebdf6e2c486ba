/** What a checkpoint says about who goes on. Names of channels, never words, decide. */
import { ERROR, INTERRUPT, TASKS, type Checkpoint, type PendingWrite } from '@langchain/langgraph-checkpoint';

/** A graph has a channel for each node that is to run. */
const branch = 'branch:to:';
const start = '__start__';

function nodesAfter({ channel_values: values }: Checkpoint): string[] {
  return Object.keys(values).flatMap((name) => (name.startsWith(branch) ? [name.slice(branch.length)] : []));
}

/** Whether nothing is left to run. */
export function isNothingLeft(checkpoint: Checkpoint): boolean {
  const { channel_values: values } = checkpoint;
  const sends = values[TASKS];
  return (
    nodesAfter(checkpoint).length === 0 &&
    !Object.hasOwn(values, start) &&
    !(Array.isArray(sends) && sends.length > 0)
  );
}

/** The one agent that is next. Where several run at once, the leg stays with the one that has it. */
export function agentAfter(checkpoint: Checkpoint, agents: ReadonlySet<string>): string | undefined {
  const { activeAgent } = checkpoint.channel_values;
  const nodes = nodesAfter(checkpoint);
  const [next, other] = nodes.filter((node) => agents.has(node) || node === activeAgent);
  return other === undefined ? next : undefined;
}

/** The run waits for a person, or failed. */
export function isPause(writes: readonly PendingWrite[]): boolean {
  return writes.some(([channel]) => channel === INTERRUPT || channel === ERROR);
}

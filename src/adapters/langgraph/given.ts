/** What LangGraph gives with a call, looked at before anything is written. */
import type { RunnableConfig } from '@langchain/core/runnables';
import { getCheckpointId, type Checkpoint } from '@langchain/langgraph-checkpoint';
import { StaffettaError } from '../../core/base/error.ts';

/** A checkpoint of a thread, by its namespace: each graph in a graph has one. */
export interface Place {
  readonly id: string;
  readonly ns: string;
  readonly checkpoint: string | undefined;
}

export function checkpointPlace(config: RunnableConfig): Place {
  const { thread_id: id, checkpoint_ns: ns = '' } = config.configurable ?? {};
  if (id === undefined || id === null || id === '') throw missing('thread_id');
  if (typeof id !== 'string' || typeof ns !== 'string')
    throw new StaffettaError('invalid-input', 'thread_id and checkpoint_ns are texts.', {
      hint: 'Give: { configurable: { thread_id: "a name" } }',
    });
  return { id, ns, checkpoint: getCheckpointId(config) || undefined };
}

export function missing(name: string): StaffettaError {
  return new StaffettaError('invalid-input', `The config of this call has no ${name}.`, {
    hint: `Give: { configurable: { ${name}: "…" } }`,
  });
}

/** What the suite of the framework proves ends with version 4. */
export function checkCheckpoint(given: Checkpoint): void {
  const { v, id, channel_values: values, channel_versions: versions } = given;
  const isKnown =
    typeof id === 'string' && id !== '' && isRecord(values) && isRecord(versions) && v >= 1 && v <= 4;
  if (isKnown) return;
  throw new StaffettaError('invalid-input', 'This checkpoint has a form that the saver does not know.', {
    details: { v, id },
    hint: 'It is of a version of LangGraph that this version of Staffetta was not proven with.',
  });
}

function isRecord(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

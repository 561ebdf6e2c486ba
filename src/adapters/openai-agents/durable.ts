/** What a run is given so that nothing of it is lost: options that keep what its models see, and handoffs that ask first. */
import {
  handoff,
  type Agent,
  type AgentOutputType,
  type CallModelInputFilter,
  type Handoff,
  type TextOutput,
  type ToolInputParameters,
  type UnknownContext,
} from '@openai/agents';
import { StaffettaError } from '../../core/base/error.ts';
import { sessionOfRun, StaffettaSession } from './session.ts';

/** Options for `run`: with them, what each model is about to see is kept before it is asked. */
export function durably<T extends { readonly callModelInputFilter?: CallModelInputFilter }>(
  session: StaffettaSession,
  options?: T,
): T & { session: StaffettaSession; callModelInputFilter: CallModelInputFilter } {
  if (!(session instanceof StaffettaSession))
    throw new StaffettaError('invalid-input', 'durably: expected a StaffettaSession.', {
      hint: 'Give: durably(new StaffettaSession(relay, "a name"))',
    });
  const { callModelInputFilter: theirs } = options ?? {};
  return {
    ...(options as T),
    session,
    callModelInputFilter: async (args) => {
      // Before it is filtered: the run that goes on has the same filter.
      await session.see(args.agent.name, args.modelData.input);
      return theirs === undefined ? args.modelData : await theirs(args);
    },
  };
}

/** As the SDK's `handoff`. Nothing is handed over, and no callback is called, by a run that lost its session. */
export function durableHandoff<
  TContext = UnknownContext,
  TOutput extends AgentOutputType = TextOutput,
  TInputType extends ToolInputParameters = ToolInputParameters,
>(
  agent: Agent<TContext, TOutput>,
  config: Parameters<typeof handoff<TContext, TOutput, TInputType>>[1] = {},
): Handoff<TContext, TOutput> {
  const plain = handoff(agent, config);
  return plain.clone({
    onInvokeHandoff: async (context, args) => {
      const session = sessionOfRun(context);
      if (session === undefined)
        throw new StaffettaError('invalid-input', 'A durable handoff needs a run with a StaffettaSession.', {
          hint: 'Give the run one: run(agent, input, durably(new StaffettaSession(relay, "a name")))',
        });
      await session.leave(context, args);
      return await plain.onInvokeHandoff(context, args);
    },
  });
}

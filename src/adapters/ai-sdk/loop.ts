/**
 * A loop of the AI SDK that carries a leg. Before the model is asked, all that it is about to see is kept; so a process that is killed at any
 * moment loses at most the step that it was in, and the next holder goes on with the same messages. A leg that was handed over begins
 * from the briefing instead: what the giver said goes along as the transcript of its packet.
 */
import {
  generateText,
  isStepCount,
  modelMessageSchema,
  type ContentPart,
  type ModelMessage,
  type StopCondition,
  type ToolSet,
} from 'ai';
import { StaffettaError } from '../../core/base/error.ts';
import { checkKind } from '../../core/base/shape.ts';
import type { Leg } from '../../handoff/verbs/leg.ts';
import type { Staffetta } from '../../library/staffetta.ts';
import { KeptLists, notAmong, type AboutLists } from '../kept-lists.ts';
import { linesOf } from '../plain-values.ts';
import { checkRelay } from '../thread.ts';
import { acknowledgeOnce, checkLeg, legTools } from './leg-tools.ts';

type Settings = Parameters<typeof generateText>[0];

/** As `generateText` takes them. */
export type LoopOptions = Omit<Settings, 'prompt' | 'messages' | 'tools' | 'stopWhen'> & {
  /** What the model is asked; the briefing of the task unless told. One that was answered is not asked again. */
  readonly prompt?: string;
  /** Beside `handoff`, `decide`, `ask` and `submit`; each needs an `execute`. */
  readonly tools?: ToolSet;
  /** Twenty steps unless told. */
  readonly stopWhen?: StopCondition<ToolSet> | StopCondition<ToolSet>[];
};

export interface LoopEnd {
  /** What the model said last. */
  readonly text: string;
  readonly messages: ModelMessage[];
  /** What was said in this leg, for a packet of your own. */
  readonly transcript: string;
  /** The model handed the task over, or submitted it. */
  readonly isOver: boolean;
}

const program = 'ai-sdk';
const stepsMax = 20;

export async function durableLoop(relay: Staffetta, leg: Leg, options: LoopOptions): Promise<LoopEnd> {
  checkRelay(relay);
  checkLeg(leg);
  checkKind('durableLoop', options, 'object');
  if ('messages' in options)
    throw new StaffettaError('invalid-input', 'durableLoop: there is no option "messages": they are kept.', {
      hint: 'Give prompt; or rewrite the messages in prepareStep.',
    });
  const { prompt, tools = {}, stopWhen = isStepCount(stepsMax), prepareStep, ...settings } = options;
  if (prompt !== undefined) checkKind('durableLoop: prompt', prompt, 'text');
  checkKind('durableLoop: tools', tools, 'object');
  const kept = await KeptLoop.read(relay, leg);
  await acknowledgeOnce(leg);
  const asked = prompt ?? null;
  if (!kept.hasBegun) await kept.begin(prompt);
  else if (kept.asked !== asked && prompt !== undefined)
    await kept.keep([...kept.messages, { role: 'user', content: prompt }], { asked });
  if (kept.said !== undefined) return kept.end(kept.said, false);
  let isOver = false;
  const own = legTools(leg, { tell: (messages) => kept.told(messages), onOver: () => (isOver = true) });
  refuseShadows(tools, own);
  const result = await generateText({
    ...(settings as Settings),
    messages: kept.messages,
    tools: { ...tools, ...own },
    stopWhen: [...(Array.isArray(stopWhen) ? stopWhen : [stopWhen]), () => isOver],
    prepareStep: async (step) => {
      const theirs = await prepareStep?.(step);
      const messages = [...(theirs?.messages ?? step.messages)];
      const waiting = await leg.messages();
      for (const { from, text } of waiting) messages.push({ role: 'user', content: `${from}: ${text}` });
      await kept.keep(messages, { asked });
      await leg.markRead(waiting);
      return { ...theirs, messages };
    },
  } as Settings);
  const messages = [...kept.messages, ...(result.steps.at(-1)?.response.messages ?? [])];
  const { text } = result;
  if (isOver) return kept.end(text, true, messages);
  refuseUnanswered(result.steps.at(-1)?.content ?? []);
  const isAnswer = result.steps.at(-1)?.toolCalls.length === 0 && result.finishReason !== 'error';
  await kept.keep(messages, isAnswer ? { asked, said: text } : { asked });
  return kept.end(text, false);
}

class KeptLoop {
  readonly #relay: Staffetta;
  readonly #leg: Leg;
  readonly #lists = new KeptLists('AI SDK loop');
  #about: AboutLists = {};
  #seq = -1;
  #hasBegun = false;

  private constructor(relay: Staffetta, leg: Leg) {
    this.#relay = relay;
    this.#leg = leg;
  }

  static async read(relay: Staffetta, leg: Leg): Promise<KeptLoop> {
    const first = await firstOfStretch(relay, leg);
    const loop = new KeptLoop(relay, leg);
    for await (const { seq, generation, bytes } of relay.kept(leg.task, program)) {
      loop.#seq = seq;
      loop.#about = loop.#lists.add(bytes);
      loop.#hasBegun = generation >= first;
    }
    if (!loop.#hasBegun) loop.#about = {};
    return loop;
  }

  /** In this stretch of the work; before it there may have been others. */
  get hasBegun(): boolean {
    return this.#hasBegun;
  }

  get messages(): ModelMessage[] {
    return this.#lists.values('messages') as ModelMessage[];
  }

  get asked(): unknown {
    return this.#about['asked'];
  }

  /** The answer to what was asked last, where there is one. */
  get said(): string | undefined {
    const { said } = this.#about;
    return typeof said === 'string' ? said : undefined;
  }

  /** Without the briefing: the next agent gets one of its own. */
  told(messages: readonly ModelMessage[]): readonly ModelMessage[] {
    return notAmong(this.#lists.values('briefing'), messages, 'messages');
  }

  async begin(prompt: string | undefined): Promise<void> {
    const content = prompt ?? (await this.#relay.briefing(this.#leg.task));
    const messages: ModelMessage[] = [{ role: 'user', content }];
    await this.keep(messages, { asked: prompt ?? null }, { briefing: prompt === undefined ? messages : [] });
  }

  async keep(
    messages: readonly ModelMessage[],
    about: AboutLists,
    more: { readonly briefing?: readonly ModelMessage[] } = {},
  ): Promise<void> {
    checkMessages(notAmong(this.messages, messages, 'messages'));
    await this.#refuseOthers();
    const bytes = this.#lists.changeTo({ messages, ...more }, about);
    const { entry } = await this.#leg.keep(program, bytes);
    this.#seq = entry?.seq ?? this.#seq;
    this.#about = this.#lists.add(bytes);
    this.#hasBegun = true;
  }

  end(text: string, isOver: boolean, messages = this.messages): LoopEnd {
    return { text, messages, transcript: linesOf(this.told(messages)), isOver };
  }

  /** Two loops with one leg would each go on from what the other did not see. */
  async #refuseOthers(): Promise<void> {
    for await (const _ of this.#relay.kept(this.#leg.task, program, { after: this.#seq }))
      throw new StaffettaError('conflict', `Another loop carries ${this.#leg.task} with the same leg.`, {
        details: { task: this.#leg.task, generation: this.#leg.generation },
        hint: 'End this one, or the other, and start again: it goes on from what is there.',
      });
  }
}

/** Legs that lapsed, or failed and were tried again, are one stretch of work; one that was handed over ends it. */
async function firstOfStretch(relay: Staffetta, leg: Leg): Promise<number> {
  const legs = await relay.timeline(leg.task);
  const last = legs.findLast(
    ({ generation, ended }) => generation < leg.generation && !goesOn.has(ended ?? ''),
  );
  return (last?.generation ?? 0) + 1;
}

const goesOn: ReadonlySet<string> = new Set(['lapsed', 'attempt-failed']);

/** Once it was kept, a message that the SDK refuses would stop every loop that goes on. */
function checkMessages(messages: readonly unknown[]): void {
  for (const message of messages) {
    const { success, error } = modelMessageSchema.safeParse(message);
    if (success) continue;
    const [issue] = error.issues;
    throw new StaffettaError(
      'invalid-input',
      `A message has a form that the AI SDK does not know: ${issue?.path.join('.')}. Nothing was written.`,
      {
        details: { issues: error.issues.map(({ message: words }) => words) },
        hint: 'Give messages as generateText takes them.',
        cause: error,
      },
    );
  }
}

/** Kept, a call without a result would stop every loop that goes on: no provider takes it. The step is taken again instead. */
function refuseUnanswered(content: readonly ContentPart<ToolSet>[]): void {
  const answered = new Set(
    content.map((part) => (part.type === 'tool-result' || part.type === 'tool-error' ? part.toolCallId : '')),
  );
  const call = content.find(
    (part) => part.type === 'tool-call' && part.providerExecuted !== true && !answered.has(part.toolCallId),
  );
  if (call?.type !== 'tool-call') return;
  throw new StaffettaError(
    'invalid-input',
    `durableLoop: the tool ${call.toolName} was called, and gave no result: it has no execute, or waits for an approval.`,
    {
      details: { tool: call.toolName },
      hint: 'Nothing of this step was kept. Give the tool an execute that asks for the approval itself, or let the model use ask.',
    },
  );
}

function refuseShadows(tools: ToolSet, own: ToolSet): void {
  const twice = Object.keys(tools).find((name) => Object.hasOwn(own, name));
  if (twice === undefined) return;
  throw new StaffettaError(
    'invalid-input',
    `durableLoop: a tool of yours is called ${twice}, as one of the leg's.`,
    {
      hint: 'Give it another name.',
    },
  );
}

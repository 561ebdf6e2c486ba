/** OpenAI Responses, as Codex speaks it. */
import { frame, pieces, type Answer, type Asked, type Dialect, type Said, type Speech } from './dialect.ts';
import { field, list, parsed, text, textIn } from './json.ts';

interface Item {
  readonly type: 'reasoning' | 'message' | 'function_call';
  readonly id: string;
  readonly [name: string]: unknown;
}

function saidIn(body: unknown): Said[] {
  const input = field(body, 'input');
  if (typeof input === 'string') return [{ by: 'user', text: input }];
  return list(input).flatMap((item): Said[] => {
    switch (field(item, 'type') ?? 'message') {
      case 'message': {
        const role = field(item, 'role');
        const by = role === 'assistant' ? 'agent' : role === 'user' ? 'user' : 'system';
        // Each part is a text of its own: the program puts its context beside the words of the user.
        return list(field(item, 'content')).map((part) => ({ by, text: text(field(part, 'text')) }));
      }
      case 'function_call':
        return [
          {
            by: 'call',
            id: text(field(item, 'call_id')),
            tool: text(field(item, 'name')),
            args: parsed(text(field(item, 'arguments'))),
          },
        ];
      case 'function_call_output':
        return [{ by: 'result', id: text(field(item, 'call_id')), text: textIn(field(item, 'output')) }];
      default:
        return [];
    }
  });
}

function itemsOf({ thinking, text, call }: Speech, { id }: Asked): Item[] {
  const summary = [{ type: 'summary_text', text: thinking }];
  const content = [{ type: 'output_text', text, annotations: [] }];
  const reasoning: Item = { type: 'reasoning', id: id('rs_'), summary, encrypted_content: 'bGFi' };
  const message: Item = {
    type: 'message',
    id: id('msg_'),
    status: 'completed',
    role: 'assistant',
    content,
  };
  return [
    ...(thinking === undefined ? [] : [reasoning]),
    ...(text === undefined ? [] : [message]),
    ...(call === undefined
      ? []
      : [
          {
            type: 'function_call',
            id: id('fc_'),
            status: 'completed',
            call_id: id('call_'),
            name: call.tool,
            ...(call.namespace === undefined ? {} : { namespace: call.namespace }),
            arguments: JSON.stringify(call.args),
          } as const,
        ]),
  ];
}

type Event = Readonly<Record<string, unknown>> & { readonly type: string };

function eventsOf(item: Item, output_index: number): Event[] {
  const at = { item_id: item.id, output_index };
  const added = (begun: object): Event => ({
    type: 'response.output_item.added',
    output_index,
    item: { ...item, ...begun },
  });
  const done: Event = { type: 'response.output_item.done', output_index, item };
  switch (item.type) {
    case 'reasoning': {
      const part = list(item['summary'])[0];
      const said = text(field(part, 'text'));
      const in_part = { ...at, summary_index: 0 };
      const empty = { type: 'summary_text', text: '' };
      return [
        added({ summary: [] }),
        { type: 'response.reasoning_summary_part.added', ...in_part, part: empty },
        ...pieces(said).map((delta) => ({
          type: 'response.reasoning_summary_text.delta',
          ...in_part,
          delta,
        })),
        { type: 'response.reasoning_summary_text.done', ...in_part, text: said },
        { type: 'response.reasoning_summary_part.done', ...in_part, part },
        done,
      ];
    }
    case 'message': {
      const part = list(item['content'])[0];
      const said = text(field(part, 'text'));
      const in_part = { ...at, content_index: 0 };
      const empty = { type: 'output_text', text: '', annotations: [] };
      return [
        added({ status: 'in_progress', content: [] }),
        { type: 'response.content_part.added', ...in_part, part: empty },
        ...pieces(said).map((delta) => ({ type: 'response.output_text.delta', ...in_part, delta })),
        { type: 'response.output_text.done', ...in_part, text: said },
        { type: 'response.content_part.done', ...in_part, part },
        done,
      ];
    }
    case 'function_call': {
      const args = text(item['arguments']);
      return [
        added({ status: 'in_progress', arguments: '' }),
        ...pieces(args).map((delta) => ({ type: 'response.function_call_arguments.delta', ...at, delta })),
        { type: 'response.function_call_arguments.done', ...at, arguments: args },
        done,
      ];
    }
  }
}

function answer(speech: Speech, asked: Asked): Answer {
  const output = itemsOf(speech, asked);
  const response = {
    id: asked.id('resp_'),
    object: 'response',
    created_at: 1_767_225_600,
    model: field(asked.body, 'model'),
    parallel_tool_calls: false,
    tools: [],
    metadata: {},
  };
  const usage = {
    input_tokens: asked.tokens,
    input_tokens_details: { cached_tokens: 0 },
    output_tokens: 16,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: asked.tokens + 16,
  };
  const whole = { ...response, status: 'completed', output, usage };
  const events: Event[] = [
    { type: 'response.created', response: { ...response, status: 'in_progress', output: [] } },
    ...output.flatMap(eventsOf),
    { type: 'response.completed', response: whole },
  ];
  return {
    whole,
    frames: events.map((event, sequence_number) => frame({ ...event, sequence_number }, event.type)),
  };
}

function toolsIn(body: unknown): string[] {
  return list(field(body, 'tools')).flatMap((tool) => {
    const inside = list(field(tool, 'tools'));
    return (inside.length === 0 ? [tool] : inside).map((one) => text(field(one, 'name')));
  });
}

export const responses: Dialect = {
  name: 'responses',
  answers: (path) => path.endsWith('/responses'),
  streams: (_path, body) => field(body, 'stream') === true,
  said: saidIn,
  tools: toolsIn,
  answer,
  failure(kind) {
    switch (kind) {
      case 'usage-limit': {
        const limit = { type: 'usage_limit_reached', plan_type: 'plus', resets_at: 4_102_444_800 };
        return {
          status: 429,
          headers: {},
          body: { error: { ...limit, message: 'The usage limit has been reached' } },
        };
      }
      case 'rate-limit': {
        const message = 'Rate limit reached for requests per min. Try again in 20ms.';
        const error = { type: 'requests', code: 'rate_limit_exceeded', message };
        return { status: 429, headers: { 'retry-after': '0' }, body: { error } };
      }
      case 'bad-request': {
        const error = { type: 'invalid_request_error', message: 'The lab refuses this.' };
        return { status: 400, headers: {}, body: { error } };
      }
    }
  },
};

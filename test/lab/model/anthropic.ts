/** Anthropic Messages, as Claude Code speaks it. */
import { frame, pieces, type Answer, type Asked, type Dialect, type Said, type Speech } from './dialect.ts';
import { field, list, text, textIn } from './json.ts';

interface Block {
  readonly type: 'thinking' | 'text' | 'tool_use';
  readonly [name: string]: unknown;
}

function saidIn(body: unknown): Said[] {
  return list(field(body, 'messages')).flatMap((message): Said[] => {
    const role = field(message, 'role');
    const by = role === 'assistant' ? 'agent' : role === 'user' ? 'user' : 'system';
    const content = field(message, 'content');
    if (typeof content === 'string') return [{ by, text: content }];
    return list(content).flatMap((block): Said[] => {
      switch (field(block, 'type')) {
        case 'text':
          return [{ by, text: text(field(block, 'text')) }];
        case 'tool_use':
          return [
            {
              by: 'call',
              id: text(field(block, 'id')),
              tool: text(field(block, 'name')),
              args: field(block, 'input'),
            },
          ];
        case 'tool_result':
          return [
            { by: 'result', id: text(field(block, 'tool_use_id')), text: textIn(field(block, 'content')) },
          ];
        default:
          return [];
      }
    });
  });
}

function blocksOf({ thinking, text, call }: Speech, { body, id }: Asked): Block[] {
  const mode = field(body, 'thinking', 'type');
  const thinks = thinking !== undefined && mode !== undefined && mode !== 'disabled';
  return [
    ...(thinks ? [{ type: 'thinking', thinking, signature: 'bGFi' } as const] : []),
    ...(text === undefined ? [] : [{ type: 'text', text } as const]),
    ...(call === undefined
      ? []
      : [{ type: 'tool_use', id: id('toolu_01'), name: call.tool, input: call.args } as const]),
  ];
}

function framesOf(block: Block, index: number): string[] {
  const delta = (piece: object): string =>
    frame({ type: 'content_block_delta', index, delta: piece }, 'content_block_delta');
  const [start, deltas] = ((): [Block, string[]] => {
    switch (block.type) {
      case 'thinking':
        return [
          { ...block, thinking: '', signature: '' },
          [
            ...pieces(text(block['thinking'])).map((thinking) => delta({ type: 'thinking_delta', thinking })),
            delta({ type: 'signature_delta', signature: block['signature'] }),
          ],
        ];
      case 'text':
        return [
          { ...block, text: '' },
          pieces(text(block['text'])).map((piece) => delta({ type: 'text_delta', text: piece })),
        ];
      case 'tool_use':
        return [
          { ...block, input: {} },
          pieces(JSON.stringify(block['input'])).map((piece) =>
            delta({ type: 'input_json_delta', partial_json: piece }),
          ),
        ];
    }
  })();
  return [
    frame({ type: 'content_block_start', index, content_block: start }, 'content_block_start'),
    ...deltas,
    frame({ type: 'content_block_stop', index }, 'content_block_stop'),
  ];
}

function answer(speech: Speech, asked: Asked): Answer {
  const content = blocksOf(speech, asked);
  const usage = {
    input_tokens: asked.tokens,
    cache_creation_input_tokens: 0,
    cache_read_input_tokens: 0,
    output_tokens: 16,
    service_tier: 'standard',
  };
  const whole = {
    id: asked.id('msg_01'),
    type: 'message',
    role: 'assistant',
    model: field(asked.body, 'model'),
    content,
    stop_reason: speech.call === undefined ? 'end_turn' : 'tool_use',
    stop_sequence: null,
    usage,
  };
  const message = { ...whole, content: [], stop_reason: null, usage: { ...usage, output_tokens: 1 } };
  const end = { stop_reason: whole.stop_reason, stop_sequence: null };
  return {
    whole,
    frames: [
      frame({ type: 'message_start', message }, 'message_start'),
      ...content.flatMap(framesOf),
      frame({ type: 'message_delta', delta: end, usage: { output_tokens: 16 } }, 'message_delta'),
      frame({ type: 'message_stop' }, 'message_stop'),
    ],
  };
}

function error(type: string, message: string): object {
  return { type: 'error', error: { type, message } };
}

export const anthropic: Dialect = {
  name: 'anthropic',
  answers: (path) => path.endsWith('/messages'),
  streams: (_path, body) => field(body, 'stream') === true,
  said: saidIn,
  tools: (body) => list(field(body, 'tools')).map((tool) => text(field(tool, 'name'))),
  answer,
  failure(kind) {
    switch (kind) {
      case 'usage-limit':
        return {
          status: 429,
          headers: {
            'anthropic-ratelimit-unified-status': 'rejected',
            'anthropic-ratelimit-unified-representative-claim': 'five_hour',
            'anthropic-ratelimit-unified-reset': '4102444800',
            'x-should-retry': 'false',
          },
          body: error('rate_limit_error', 'This request would exceed the rate limit of your account.'),
        };
      case 'rate-limit':
        return {
          status: 429,
          headers: { 'retry-after': '0' },
          body: error('rate_limit_error', 'Number of requests has exceeded your per-minute rate limit.'),
        };
      case 'bad-request':
        return { status: 400, headers: {}, body: error('invalid_request_error', 'The lab refuses this.') };
    }
  },
};

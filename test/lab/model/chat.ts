/** OpenAI chat completions, as opencode and Qwen Code speak it with a provider of one's own. */
import { frame, pieces, type Answer, type Asked, type Dialect, type Said, type Speech } from './dialect.ts';
import { field, list, parsed, text, textIn } from './json.ts';

function saidIn(body: unknown): Said[] {
  return list(field(body, 'messages')).flatMap((message): Said[] => {
    const role = field(message, 'role');
    const content = field(message, 'content');
    if (role === 'tool')
      return [{ by: 'result', id: text(field(message, 'tool_call_id')), text: textIn(content) }];
    const by = role === 'assistant' ? 'agent' : role === 'user' ? 'user' : 'system';
    const spoken =
      typeof content === 'string' ? [content] : list(content).map((part) => text(field(part, 'text')));
    const calls = list(field(message, 'tool_calls')).map((call): Said => ({
      by: 'call',
      id: text(field(call, 'id')),
      tool: text(field(call, 'function', 'name')),
      args: parsed(text(field(call, 'function', 'arguments'))),
    }));
    return [...spoken.filter((said) => said !== '').map((said): Said => ({ by, text: said })), ...calls];
  });
}

function answer({ thinking, text, call }: Speech, asked: Asked): Answer {
  const id = asked.id('chatcmpl-');
  const usage = { prompt_tokens: asked.tokens, completion_tokens: 16, total_tokens: asked.tokens + 16 };
  const common = { id, created: 1_767_225_600, model: field(asked.body, 'model') };
  const finish_reason = call === undefined ? 'stop' : 'tool_calls';
  const args = JSON.stringify(call?.args);
  const named =
    call === undefined ? null : { id: asked.id('call_'), type: 'function', function: { name: call.tool } };
  const calls =
    named === null ? {} : { tool_calls: [{ ...named, function: { ...named.function, arguments: args } }] };
  const chunk = (delta: object, reason: string | null = null): string =>
    frame({
      ...common,
      object: 'chat.completion.chunk',
      choices: [{ index: 0, delta, finish_reason: reason }],
    });
  return {
    whole: {
      ...common,
      object: 'chat.completion',
      choices: [{ index: 0, message: { role: 'assistant', content: text ?? '', ...calls }, finish_reason }],
      usage,
    },
    frames: [
      chunk({ role: 'assistant', content: '' }),
      ...pieces(thinking ?? '').map((piece) => chunk({ reasoning_content: piece })),
      ...pieces(text ?? '').map((piece) => chunk({ content: piece })),
      ...(named === null
        ? []
        : [
            chunk({
              tool_calls: [{ index: 0, ...named, function: { ...named.function, arguments: '' } }],
            }),
            ...pieces(args).map((piece) =>
              chunk({ tool_calls: [{ index: 0, function: { arguments: piece } }] }),
            ),
          ]),
      chunk({}, finish_reason),
      frame({ ...common, object: 'chat.completion.chunk', choices: [], usage }),
      frame('[DONE]'),
    ],
  };
}

function error(type: string, message: string): object {
  return { error: { type, code: type, message } };
}

export const chat: Dialect = {
  name: 'chat',
  answers: (path) => path.endsWith('/chat/completions'),
  streams: (_path, body) => field(body, 'stream') === true,
  said: saidIn,
  tools: (body) => list(field(body, 'tools')).map((tool) => text(field(tool, 'function', 'name'))),
  answer,
  failure(kind) {
    switch (kind) {
      case 'usage-limit':
        // As resellers of models answer. With 429 the program would try again for ever.
        return { status: 402, headers: {}, body: error('insufficient_credits', 'Insufficient credits.') };
      case 'rate-limit':
        return {
          status: 429,
          headers: { 'retry-after': '0' },
          body: error('rate_limit_exceeded', 'Rate limit reached for requests per min.'),
        };
      case 'bad-request':
        return { status: 400, headers: {}, body: error('invalid_request_error', 'The lab refuses this.') };
    }
  },
};

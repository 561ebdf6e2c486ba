/** Gemini's generateContent, as Gemini CLI speaks it. */
import { frame, pieces, type Answer, type Asked, type Dialect, type Said, type Speech } from './dialect.ts';
import { field, list, text } from './json.ts';

function saidIn(body: unknown): Said[] {
  // Where ids are missing, the n-th response belongs to the n-th call.
  let calls = 0;
  let results = 0;
  return list(field(body, 'contents')).flatMap((content) =>
    list(field(content, 'parts')).flatMap((part): Said[] => {
      const call = field(part, 'functionCall');
      if (call !== undefined) {
        calls += 1;
        const id = text(field(call, 'id') ?? `call ${calls}`);
        return [{ by: 'call', id, tool: text(field(call, 'name')), args: field(call, 'args') }];
      }
      const response = field(part, 'functionResponse');
      if (response !== undefined) {
        results += 1;
        const id = text(field(response, 'id') ?? `call ${results}`);
        const given = field(response, 'response');
        const output = field(given, 'output') ?? field(given, 'error');
        return [{ by: 'result', id, text: typeof output === 'string' ? output : JSON.stringify(given) }];
      }
      if (field(part, 'thought') === true || typeof field(part, 'text') !== 'string') return [];
      const by = field(content, 'role') === 'model' ? 'agent' : 'user';
      return [{ by, text: text(field(part, 'text')) }];
    }),
  );
}

interface Part {
  readonly text?: string;
  readonly thought?: true;
  readonly functionCall?: object;
  readonly thoughtSignature?: string;
}

function partsOf({ thinking, text, call }: Speech, { id }: Asked): Part[] {
  return [
    ...(thinking === undefined ? [] : [{ text: `**Thinking**\n${thinking}`, thought: true } as const]),
    ...(text === undefined ? [] : [{ text }]),
    ...(call === undefined
      ? []
      : [
          {
            functionCall: { id: id('fc_'), name: call.tool, args: call.args },
            thoughtSignature: 'bGFi',
          },
        ]),
  ];
}

function answer(speech: Speech, asked: Asked): Answer {
  const usageMetadata = {
    promptTokenCount: asked.tokens,
    candidatesTokenCount: 16,
    totalTokenCount: asked.tokens + 16,
    cachedContentTokenCount: 0,
  };
  const responseId = asked.id('r');
  const modelVersion = /\/models\/([^/:]+):/.exec(asked.path)?.[1] ?? 'lab';
  const chunk = (parts: readonly object[], last: boolean): object => ({
    candidates: [{ content: { role: 'model', parts }, index: 0, ...(last ? { finishReason: 'STOP' } : {}) }],
    usageMetadata,
    modelVersion,
    responseId,
  });
  const parts = partsOf(speech, asked);
  const streamed = parts.flatMap((part) =>
    part.text === undefined ? [part] : pieces(part.text).map((text) => ({ ...part, text })),
  );
  return {
    whole: chunk(parts, true),
    frames: streamed.map((part, index) => frame(chunk([part], index === streamed.length - 1))),
  };
}

export const gemini: Dialect = {
  name: 'gemini',
  answers: (path) => /\/models\/[^/:]+:(streamG|g)enerateContent$/.test(path),
  streams: (path) => path.endsWith(':streamGenerateContent'),
  said: saidIn,
  tools: (body) =>
    list(field(body, 'tools'))
      .flatMap((tool) => list(field(tool, 'functionDeclarations')))
      .map((tool) => text(field(tool, 'name'))),
  answer,
  failure(kind) {
    const google = 'type.googleapis.com/google.rpc.';
    const exhausted = (message: string, quotaId: string, details: readonly object[]): object => ({
      error: {
        code: 429,
        message,
        status: 'RESOURCE_EXHAUSTED',
        details: [{ '@type': `${google}QuotaFailure`, violations: [{ quotaId }] }, ...details],
      },
    });
    switch (kind) {
      case 'usage-limit':
        return {
          status: 429,
          headers: {},
          body: exhausted(
            'You exceeded your current quota, please check your plan and billing details.',
            'GenerateRequestsPerDayPerProjectPerModel-FreeTier',
            [],
          ),
        };
      case 'rate-limit':
        return {
          status: 429,
          headers: {},
          body: exhausted('Too many requests.', 'GenerateRequestsPerMinutePerProjectPerModel', [
            { '@type': `${google}RetryInfo`, retryDelay: '0.1s' },
          ]),
        };
      case 'bad-request': {
        const error = { code: 400, message: 'The lab refuses this.', status: 'INVALID_ARGUMENT' };
        return { status: 400, headers: {}, body: { error } };
      }
    }
  },
};

import type { Agent } from './agent.ts';

const limit = { context: 200_000, output: 8192 };
const models = {
  large: { reasoning: true, tool_call: true, limit },
  small: { tool_call: true, limit },
};

export const opencode: Agent = {
  runtime: 'opencode',
  title: 'opencode',
  package: 'opencode-ai',
  command: 'opencode',
  scripted: true,
  megabytes: 360,
  files: ({ model }) => ({
    '.config/opencode/opencode.json': JSON.stringify({
      autoupdate: false,
      share: 'disabled',
      model: 'lab/large',
      small_model: 'lab/small',
      permission: 'allow',
      enabled_providers: ['lab'],
      provider: {
        lab: {
          npm: '@ai-sdk/openai-compatible',
          name: 'Lab',
          options: { baseURL: `${model}/v1`, apiKey: 'lab' },
          models,
        },
      },
    }),
  }),
  env: ({ home }) => ({
    XDG_CONFIG_HOME: `${home}/.config`,
    XDG_DATA_HOME: `${home}/.local/share`,
    XDG_STATE_HOME: `${home}/.local/state`,
    XDG_CACHE_HOME: `${home}/.cache`,
    OPENCODE_DISABLE_AUTOUPDATE: '1',
    OPENCODE_DISABLE_MODELS_FETCH: '1',
    OPENCODE_DISABLE_LSP_DOWNLOAD: '1',
  }),
  ask: ['run', '--format', 'json'],
};

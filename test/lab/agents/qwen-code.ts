import type { Agent } from './agent.ts';

const settings = {
  security: { auth: { selectedType: 'openai' } },
  general: { enableAutoUpdate: false },
  privacy: { usageStatisticsEnabled: false },
  // It would ask its model for more turns than those of the conversation.
  memory: { enableManagedAutoMemory: false },
};

export const qwenCode: Agent = {
  runtime: 'qwen-code',
  title: 'Qwen Code',
  package: '@qwen-code/qwen-code',
  command: 'qwen',
  scripted: false,
  megabytes: 160,
  files: () => ({ '.qwen/settings.json': JSON.stringify(settings) }),
  env: ({ home, model }) => ({
    QWEN_HOME: `${home}/.qwen`,
    OPENAI_API_KEY: 'lab',
    OPENAI_BASE_URL: `${model}/v1`,
    OPENAI_MODEL: 'lab-large',
  }),
  ask: ['--yolo', '--output-format', 'json'],
};

import type { Agent } from './agent.ts';

const settings = {
  security: { auth: { selectedType: 'gemini-api-key' }, folderTrust: { enabled: false } },
  // A session that was continued would be deleted at the next start.
  general: { enableAutoUpdate: false, sessionRetention: { enabled: false } },
  privacy: { usageStatisticsEnabled: false },
};

export const geminiCli: Agent = {
  runtime: 'gemini-cli',
  title: 'Gemini CLI',
  package: '@google/gemini-cli',
  command: 'gemini',
  scripted: false,
  megabytes: 100,
  files: () => ({ '.gemini/settings.json': JSON.stringify(settings) }),
  env: ({ home, model }) => ({
    GEMINI_CLI_HOME: home,
    GEMINI_API_KEY: 'lab',
    GOOGLE_GEMINI_BASE_URL: model,
    GEMINI_CLI_TRUST_WORKSPACE: 'true',
  }),
  ask: ['--yolo', '--output-format', 'json'],
};

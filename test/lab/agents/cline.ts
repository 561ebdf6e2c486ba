import type { Agent } from './agent.ts';

const provider = 'openai-compatible';
const model = 'lab-large';

export const cline: Agent = {
  runtime: 'cline',
  title: 'Cline',
  package: 'cline',
  command: 'cline',
  scripted: false,
  megabytes: 440,
  files: ({ model: origin }) => ({
    // Without a network it would try for seconds to report what it did.
    '.cline/data/settings/global-settings.json': JSON.stringify({ telemetryOptOut: true }),
    '.cline/data/settings/providers.json': JSON.stringify({
      version: 1,
      lastUsedProvider: provider,
      modes: {},
      providers: {
        [provider]: {
          settings: { provider, apiKey: 'lab', model, baseUrl: `${origin}/v1` },
          updatedAt: '2026-11-19T00:00:00.000Z',
          tokenSource: 'manual',
        },
      },
    }),
  }),
  env: () => ({
    CLINE_SESSION_BACKEND_MODE: 'local',
    CLINE_NO_AUTO_UPDATE: '1',
    // By its protocol it opens no session without them.
    CLINE_API_KEY: 'lab',
    CLINE_PROVIDER: provider,
    CLINE_MODEL: model,
  }),
  ask: [],
  piped: true,
};

import { join } from 'node:path';
import { cacheFolder } from '../install.ts';
import type { Agent } from './agent.ts';

export const copilotCli: Agent = {
  runtime: 'copilot-cli',
  title: 'Copilot CLI',
  package: '@github/copilot',
  command: 'copilot',
  scripted: false,
  megabytes: 450,
  files: () => ({}),
  env: ({ home, model }) => ({
    COPILOT_HOME: `${home}/.copilot`,
    // It unpacks itself when it is first started, which takes seconds: once for all homes.
    COPILOT_CACHE_HOME: join(cacheFolder(), 'unpacked-copilot'),
    COPILOT_OFFLINE: 'true',
    COPILOT_AUTO_UPDATE: 'false',
    COPILOT_PROVIDER_BASE_URL: `${model}/v1`,
    // It hides the key wherever it stands in what it says.
    COPILOT_PROVIDER_API_KEY: 'key-of-the-lab',
    COPILOT_MODEL: 'lab-large',
  }),
  ask: ['--yolo', '--output-format', 'json'],
};

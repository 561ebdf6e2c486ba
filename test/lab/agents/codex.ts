import type { Agent } from './agent.ts';

export const codex: Agent = {
  runtime: 'codex',
  title: 'Codex',
  package: '@openai/codex',
  command: 'codex',
  scripted: false,
  megabytes: 440,
  files: ({ model }) => ({
    '.codex/config.toml': `model = "gpt-5-codex"
model_provider = "lab"
approval_policy = "never"
sandbox_mode = "danger-full-access"
check_for_update_on_startup = false
[model_providers.lab]
name = "lab"
base_url = "${model}/v1"
wire_api = "responses"
env_key = "LAB_API_KEY"
request_max_retries = 0
stream_max_retries = 0
[features]
plugins = false
[analytics]
enabled = false
[otel]
exporter = "none"
`,
  }),
  env: ({ home }) => ({ CODEX_HOME: `${home}/.codex`, LAB_API_KEY: 'lab' }),
  ask: ['exec', '--json', '--skip-git-repo-check', '-'],
};

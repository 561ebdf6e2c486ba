import type { Agent } from './agent.ts';

export const claudeCode: Agent = {
  runtime: 'claude-code',
  title: 'Claude Code',
  package: '@anthropic-ai/claude-code',
  command: 'claude',
  scripted: true,
  megabytes: 350,
  files: () => ({}),
  env: ({ home, model }) => ({
    CLAUDE_CONFIG_DIR: `${home}/.claude`,
    // It skips permissions for the superuser only where it is told that nothing can be broken.
    IS_SANDBOX: '1',
    ANTHROPIC_BASE_URL: model,
    // A subscriber's: with a key of the API it does not tell a limit of usage from one of the rate.
    CLAUDE_CODE_OAUTH_TOKEN: ['sk', 'ant', 'oat01', 'lab'].join('-'),
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    DISABLE_AUTOUPDATER: '1',
    DISABLE_TELEMETRY: '1',
    DISABLE_ERROR_REPORTING: '1',
  }),
  ask: ['-p', '--dangerously-skip-permissions', '--output-format', 'json'],
};

/** The coding agents that are known: a line for each, by the names of which they are listed. */
export { agent as claudeCode } from './claude-code/agent.ts';
export { agent as cline } from './cline/agent.ts';
export { agent as codex } from './codex/agent.ts';
export { agent as copilotCli } from './copilot-cli/agent.ts';
export { agent as geminiCli } from './gemini-cli/agent.ts';
export { agent as opencode } from './opencode/agent.ts';
export { agent as qwenCode } from './qwen-code/agent.ts';

import type { RuntimeName } from '../../../src/ports/runtime.ts';
import type { Agent } from './agent.ts';
import { claudeCode } from './claude-code.ts';
import { cline } from './cline.ts';
import { codex } from './codex.ts';
import { copilotCli } from './copilot-cli.ts';
import { geminiCli } from './gemini-cli.ts';
import { opencode } from './opencode.ts';
import { qwenCode } from './qwen-code.ts';

export const agents: Readonly<Record<RuntimeName, Agent>> = {
  'claude-code': claudeCode,
  cline,
  codex,
  'copilot-cli': copilotCli,
  'gemini-cli': geminiCli,
  opencode,
  'qwen-code': qwenCode,
};

import type { RuntimeScratch } from '../../../src/conformance/index.ts';
import type { RuntimeName } from '../../../src/ports/index.ts';
import { claudeCode } from './claude-code.ts';
import { cline } from './cline.ts';
import { codex } from './codex.ts';
import { copilotCli } from './copilot-cli.ts';
import { geminiCli } from './gemini-cli.ts';
import { opencode } from './opencode.ts';
import { qwenCode } from './qwen-code.ts';

export const runtimeScratches: readonly {
  readonly name: RuntimeName;
  readonly open: () => RuntimeScratch;
}[] = [
  { name: 'claude-code', open: claudeCode },
  { name: 'cline', open: cline },
  { name: 'codex', open: codex },
  { name: 'copilot-cli', open: copilotCli },
  { name: 'gemini-cli', open: geminiCli },
  { name: 'opencode', open: opencode },
  { name: 'qwen-code', open: qwenCode },
];

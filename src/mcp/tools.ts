import type { Tool } from './tool.ts';
import { decide } from './tools/decide.ts';
import { note } from './tools/note.ts';
import { open } from './tools/open.ts';
import { read } from './tools/read.ts';
import { seal } from './tools/seal.ts';
import { status } from './tools/status.ts';
import { take } from './tools/take.ts';
import { wait } from './tools/wait.ts';

/** Few and stable. Approving a review is not among them: it never goes through the host of the agent whose work it is. */
export const tools: readonly Tool[] = [status, open, take, note, decide, seal, read, wait];

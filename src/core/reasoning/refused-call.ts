/**
 * Whether a call never ran: a person said no to it, or the program did. Each program puts its own words in the place of a result, at
 * its beginning.
 */
import type { Result } from '../transcript/step.ts';

const refusals: readonly RegExp[] = [
  // Claude Code
  /^(?:Error: )?The user doesn['’]t want to (?:proceed with|take) this/i,
  /^\[?Request interrupted by user/i,
  /^(?:Error: )?Permission (?:to use \S+|for this \w+|for this) .{0,200}?(?:denied|not been granted)/i,
  /^(?:Error: )?(?:Claude|The agent) requested permissions? to .{0,200}?(?:haven['’]t granted|denied)/i,
  /^<tool_use_error>/,
  /^(?:Error: )?\S+ (?:operation blocked by hook|hook error)/i,
  /^(?:Error: )?This command (?:requires approval|was blocked)/i,
  // Codex
  /^(?:exec_command failed.{0,80}?|exec command |command |patch )?(?:rejected|denied|aborted) by (?:the )?user/i,
  /^(?:Error: )?(?:exec(?:ution)? error|failed).{0,160}?rejected by (?:the )?user/i,
  // Gemini CLI
  /^\[?Operation Cancelled\]?/i,
  /^(?:Error: )?(?:Tool|User) (?:execution )?(?:\S+ )?(?:denied|did not allow|cancel+ed|rejected)\b/i,
  // opencode
  /^(?:Error: )?The user (?:has )?(?:rejected|dismissed|specified a rule which prevents)/i,
  /^Tool execution aborted/i,
];

export function neverRan({ failed, exit, text }: Result): boolean {
  const start = text.slice(0, 400).trimStart();
  return failed && exit === undefined && refusals.some((refusal) => refusal.test(start));
}

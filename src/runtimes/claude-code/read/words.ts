/**
 * Whose words a text of a user's record is, and what an error of the service means. The program writes much in the user's name:
 * reminders, output of commands, notes of its own; what a person typed is told apart by flags of the record and by the tags
 * that the program puts first.
 */
import type { StepMark, StepSource } from '../../../core/transcript/step.ts';
import { saysSpent, saysTooLong } from '../../limit-words.ts';
import { blockPattern, partBlocks } from '../../program-blocks.ts';
import { isNotice, planIn, withoutPointer } from './program-words.ts';
import { count, flag, part, text, type Fields } from './schema.ts';

export interface Said {
  readonly source: StepSource;
  readonly text: string;
  readonly mark?: StepMark;
}

const programTags = blockPattern([
  'system-reminder',
  'local-command-caveat',
  'local-command-stdout',
  'local-command-stderr',
  'bash-stdout',
  'bash-stderr',
  'task-notification',
  'teammate-message',
  'agent-message',
  'agent-notification',
  'cross-session-message',
  'coordinator-relay',
  'remote-review',
  'mcp-resource-update',
  'mcp-polling-update',
  'fork-boilerplate',
  'tick',
  'user-prompt-submit-hook',
  'post-tool-use-hook',
  'ide_opened_file',
  'ide_selection',
  'ide_diagnostics',
  'session-start-hook',
]);
const interruption = /^\s*\[Request interrupted\b/;

/** One, unless the program put something beside a person's words; theirs are the last. */
export function saidBy(record: Fields, words: string): readonly Said[] {
  if (interruption.test(words)) return [{ source: 'system', text: words, mark: 'interrupted' }];
  if (isOfProgram(record) || isNotice(record, words))
    return [{ source: 'system', text: words, mark: 'context' }];
  const plan = planIn(record, words);
  if (plan !== null)
    return [
      { source: 'system', text: plan.trailer, mark: 'context' },
      { source: 'user', text: plan.order },
    ];
  const { blocks, words: around } = partBlocks(words, programTags);
  if (blocks.length === 0)
    return [{ source: 'user', text: typed(words), ...(shell.test(words) ? { mark: 'command' } : {}) }];
  const context: Said = { source: 'system', text: blocks.join('\n'), mark: 'context' };
  const typedAround = withoutPointer(around);
  if (typedAround === '') return [{ ...context, text: words }];
  return [context, ...saidBy(record, typedAround)];
}

function isOfProgram(record: Fields): boolean {
  const origin = text(part(record, 'origin'), 'kind');
  return (
    flag(record, 'isMeta') ||
    flag(record, 'isCompactSummary') ||
    flag(record, 'isVisibleInTranscriptOnly') ||
    text(record, 'sourceToolUseID') !== null ||
    text(record, 'promptSource') === 'system' ||
    (origin !== null && origin !== 'human')
  );
}

/** From one opening to the next at most: many that are never closed are not each looked for to the end. */
const memory = /<user-memory-input>((?:[^<]|<(?!\/?user-memory-input>))*)<\/user-memory-input>/g;
const commandTags = blockPattern(['command-name', 'command-message', 'command-args', 'command-contents']);

const shell = /^\s*<bash-input>([\s\S]*)<\/bash-input>\s*$/;

/** What a command of the program itself put out. One that asks the agent for something has none: it becomes a prompt. */
export function isCommandOutput(words: string): boolean {
  return /^\s*<local-command-std(?:out|err)>/.test(words);
}

/** A command is stored in tags; a person typed `/name arguments`, `!command` for the shell, or `#words` to be remembered. */
function typed(words: string): string {
  const [, line] = shell.exec(words) ?? [];
  if (line !== undefined) return `!${line}`;
  if (words.includes('<user-memory-input>')) return words.replace(memory, '$1');
  if (!/^\s*<command-(name|message)>/.test(words)) return words;
  const name = inTag(words, 'command-name');
  if (name === null) return words;
  const rest = inTag(words, 'command-args') ?? '';
  const command = rest === '' ? name : `${name} ${rest}`;
  const { words: beside } = partBlocks(words, commandTags);
  return beside === '' ? command : `${command}\n\n${beside}`;
}

function inTag(words: string, tag: string): string | null {
  const from = words.indexOf(`<${tag}>`);
  const to = words.indexOf(`</${tag}>`, from);
  return from < 0 || to < 0 ? null : words.slice(from + tag.length + 2, to);
}

/** Words of the versions that did not yet name the kind of an error. */
const limitWords =
  /^\s*(You've (hit|reached) your\b|(API Error: .*)?You have reached your specified API usage limits|You're out of (extra )?usage|Your org is out of usage|Claude (AI )?usage limit reached|(?!API Error\b)(?:(?!rate\b)\S+ ){1,4}limit reached\b)/i;

/** A limit of the account lasts hours, a rate limit seconds: the giver must know which. */
export function markOfError(record: Fields, words: string): StepMark {
  const limited = text(record, 'apiError') === 'usage_limit_reached' || part(record, 'quotaLimits') !== null;
  if (limited) return 'usage-limit';
  if (saysTooLong(words)) return 'context-limit';
  if (limitWords.test(words) || saysSpent(words)) return 'usage-limit';
  const status = count(record, 'apiErrorStatus') ?? count(part(record, 'error'), 'status');
  if (text(record, 'error') === 'rate_limit' || status === 429) return 'rate-limited';
  return 'error';
}

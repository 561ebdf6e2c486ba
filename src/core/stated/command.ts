/** What a person types to steer the program and not the work: `/clear`, `/model opus`, `!npm test`. */
import { toProgram } from './leaning.ts';

/** Any command without arguments. */
const alone = /^\/[a-z][\w:.-]*$/i;
const shell = /^!\s?[\w./~$]\S*/;

/** The rest of a message that begins with a command; a command with words of a person's own stays. */
export function withoutCommand(message: string): string {
  const text = message.trimStart();
  const end = text.indexOf('\n');
  const first = (end < 0 ? text : text.slice(0, end)).trimEnd();
  const isCommand = toProgram.test(first) || alone.test(first) || (end < 0 && shell.test(first));
  if (!isCommand) return message;
  return end < 0 ? '' : text.slice(end + 1);
}

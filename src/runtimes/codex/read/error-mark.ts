/** What kind of failure a turn ended with, from the words the program has for it. */
import type { StepMark } from '../../../core/transcript/step.ts';
import { saysSpent, saysTooLong } from '../../limit-words.ts';
import { fieldsIn, fieldsOf, numberIn, textIn, type Fields } from './schema.ts';

export function errorMark(error: Fields): { readonly mark: StepMark; readonly text: string } {
  const text = textIn(error, 'message') ?? '';
  const info = textIn(error, 'codex_error_info') ?? Object.keys(fieldsIn(error, 'codex_error_info'))[0] ?? '';
  const status = numberIn(fieldsOf(fieldsIn(error, 'codex_error_info')[info]), 'http_status_code');
  if (info === 'usage_limit_exceeded' || /usage limit/i.test(text) || saysSpent(text))
    return { mark: 'usage-limit', text };
  if (info === 'context_window_exceeded' || saysTooLong(text)) return { mark: 'context-limit', text };
  if (status === 429 || info === 'server_overloaded') return { mark: 'rate-limited', text };
  return { mark: 'error', text };
}

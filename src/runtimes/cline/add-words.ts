/** Words of a person behind the last of a session: in a terminal the program goes on with one, and takes no words with it. */
import { randomBytes } from 'node:crypto';
import { renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { StaffettaError } from '../../core/base/error.ts';
import { listIn } from '../../core/transcript/loose-json.ts';
import type { SessionPlace } from '../../ports/runtime.ts';
import { newId } from '../new-id.ts';
import { allOf } from '../open-quietly.ts';
import { refuseEmpty } from '../spoken.ts';
import { jsonIn } from './capture.ts';
import { saidBy } from './compose.ts';

/** The program itself writes the whole conversation anew for each message; a reader sees it as it was, or as it is then. */
export function addWords({ path }: SessionPlace, text: string): void {
  const document = jsonIn(allOf(path).toString('utf8'));
  const messages = listIn(document, 'messages');
  if (document === null || messages === null)
    throw new StaffettaError('unavailable', `The session ${path} cannot be understood.`, {
      hint: 'Write its history as a new session.',
      details: { path },
    });
  const ts = Date.now();
  const said = { id: newId(randomBytes(16)), role: 'user', content: [saidBy(refuseEmpty(text))], ts };
  const fresh = `${path}.${process.pid}`;
  const whole = { ...document, updated_at: new Date(ts).toISOString(), messages: [...messages, said] };
  try {
    writeFileSync(fresh, `${JSON.stringify(whole, null, 2)}\n`, { flag: 'wx', mode: statSync(path).mode });
    renameSync(fresh, path);
  } finally {
    rmSync(fresh, { force: true });
  }
}

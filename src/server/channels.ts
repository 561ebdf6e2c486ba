/** The ways in which somebody can be told. What is sent is the alert and nothing else: no token, no link that signs in, no environment. */
import { spawn } from 'node:child_process';
import { StaffettaError } from '../core/base/error.ts';
import { sanitizeLine } from '../core/base/sanitize.ts';
import type { Alert } from '../handoff/views/alerts.ts';
import type { Channel } from './notify.ts';

const sendMsMax = 10_000;

export function channelFrom(given: string): Channel {
  if (given === 'desktop') return { name: 'desktop', send: desktop };
  const [, kind, rest = ''] = /^(command|webhook):(.+)$/s.exec(given) ?? [];
  if (kind === 'command')
    return { name: 'command', send: async (alert, signal) => await command(rest, alert, signal) };
  if (kind === 'webhook') return webhook(rest);
  throw new StaffettaError('invalid-input', `There is no way to notify called ${JSON.stringify(given)}.`, {
    hint: 'Use desktop, command:CMD, or webhook:URL.',
  });
}

function webhook(url: string): Channel {
  const address = URL.canParse(url) ? new URL(url) : undefined;
  if (address === undefined || !['http:', 'https:'].includes(address.protocol))
    throw new StaffettaError('invalid-input', 'A webhook is an http or https address.', {
      hint: 'E.g. webhook:https://hooks.example.org/staffetta',
    });
  return {
    name: 'webhook',
    async send(alert, signal) {
      const answer = await fetch(address, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', 'Idempotency-Key': alert.id },
        body: JSON.stringify(alert),
        // What was agreed to is this address, and no other that it points at.
        redirect: 'error',
        signal: AbortSignal.any([signal, AbortSignal.timeout(sendMsMax)]),
      });
      await answer.body?.cancel();
      if (!answer.ok) throw new Error(`The webhook answered ${answer.status}.`);
    },
  };
}

async function command(line: string, alert: Alert, signal: AbortSignal): Promise<void> {
  await ran(line, [], { signal, shell: true, stdin: `${JSON.stringify(alert)}\n` });
}

async function desktop(alert: Alert, signal: AbortSignal): Promise<void> {
  const heading =
    alert.kind === 'needs-human' ? 'Staffetta: a person is needed' : 'Staffetta: a lease lapsed';
  const body = sanitizeLine(`${alert.title}: ${alert.why}`).slice(0, 400);
  if (process.platform === 'darwin') {
    // Words are given as arguments, so that none of them is taken for script.
    const script = 'on run argv\ndisplay notification (item 2 of argv) with title (item 1 of argv)\nend run';
    await ran('osascript', ['-e', script, heading, body], { signal });
    return;
  }
  if (process.platform === 'win32') {
    await ran('msg', ['*', `${heading}: ${body}`], { signal });
    return;
  }
  await ran('notify-send', ['--app-name=Staffetta', '--', heading, body], { signal });
}

async function ran(
  program: string,
  args: readonly string[],
  options: { readonly signal: AbortSignal; readonly shell?: boolean; readonly stdin?: string },
): Promise<void> {
  const child = spawn(program, args, {
    shell: options.shell === true,
    stdio: ['pipe', 'ignore', 'ignore'],
    signal: AbortSignal.any([options.signal, AbortSignal.timeout(sendMsMax)]),
  });
  child.stdin.on('error', () => {});
  child.stdin.end(options.stdin ?? '');
  const code = await new Promise<number | null>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', resolve);
  });
  if (code !== 0) throw new Error(`It ended with ${code ?? 'a signal'}.`);
}

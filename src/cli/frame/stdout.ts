import { exits } from './fail.ts';

let own: NodeJS.WriteStream | undefined;

/** Node's own stream, which ends the command where nobody reads any more. */
export function ownStdout(): NodeJS.WriteStream {
  if (own !== undefined) return own;
  own = process.stdout;
  own.on('error', (error: NodeJS.ErrnoException) => {
    // A reader that stops early (head, less) is no failure of ours.
    if (error.code === 'EPIPE') process.exit(exits.ok);
    process.stderr.write(`staffetta: The answer could not be written: ${error.message}\n`);
    process.exit(exits.failed);
  });
  return own;
}

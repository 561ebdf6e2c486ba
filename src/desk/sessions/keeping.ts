/** Whether sessions that hold no task are kept: `STAFFETTA_KEEP_SESSIONS=off` says no. */
export function keepsSessions(env: NodeJS.ProcessEnv): boolean {
  return env['STAFFETTA_KEEP_SESSIONS'] !== 'off';
}

/** A session that changed no file has found something out if it used tools so often. */
export const toolsMany = 5;

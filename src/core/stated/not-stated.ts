/** What stands for a goal in a contract that was drafted from a session without one. */
export const goalNotStated = 'The session does not say what it was for: ask whoever started it.';

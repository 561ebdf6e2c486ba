/** What a token allows. Who may do what with a task is decided where it always is; a token only narrows it. */
export const verbs = ['read', 'tell', 'review', 'direct'] as const;
export type Verb = (typeof verbs)[number];

/** What an agent's token allows at most, unless a person made it. */
export const agentVerbs: readonly Verb[] = ['read', 'tell'];

export const portDefault = 4747;
export const loopbackHost = '127.0.0.1';

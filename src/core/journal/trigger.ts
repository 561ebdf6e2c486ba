/**
 * What can make a handoff necessary: a row for each kind. The schema of events, the options of the command, what is an emergency, and what
 * is said of it are made from here.
 */
interface TriggerKind {
  /** It leaves no time to mend anything. */
  readonly isEmergency: boolean;
  /** The session ended without anybody deciding it, and its work has to be rescued. */
  readonly isDeath: boolean;
  /** What became of the session, where it may never answer again. */
  readonly ended: string | null;
}

export const triggerKinds = {
  planned: { isEmergency: false, isDeath: false, ended: null },
  'context-limit': { isEmergency: true, isDeath: false, ended: null },
  'usage-limit': { isEmergency: true, isDeath: true, ended: null },
  timeout: { isEmergency: true, isDeath: false, ended: 'fell silent' },
  crash: { isEmergency: true, isDeath: true, ended: 'crashed' },
  user: { isEmergency: false, isDeath: false, ended: null },
} as const satisfies Readonly<Record<string, TriggerKind>>;

export type TriggerName = keyof typeof triggerKinds;

export const triggers = Object.keys(triggerKinds) as readonly TriggerName[];

export const emergencies = triggers.filter((kind) => triggerKinds[kind].isEmergency);

/**
 * Named places where a crash is interesting. Production code announces that it got there; by default nobody listens.
 * Tests kill the process there, or wait there instead of sleeping. The list is closed so that tests can visit every one.
 */
export const steps = [
  'record:decided',
  'record:appended',
  'seal:packet-built',
  'seal:chunk-stored',
  'seal:captured',
  'run:starting',
  'run:ended',
  'handoff:offered',
  'take:hint-received',
  'take:accepted',
  'take:hint-settled',
  'effect:intended',
  'effect:performed',
  'effect:settled',
  'recover:listed',
  'recover:recorded',
  'done:needs-listed',
  'fork:touched',
  'import:blob-stored',
  'import:adopted',
  'sweep:task-removed',
  'sweep:blob-removed',
  'sqlite:created',
  'sqlite:begun',
  'sqlite:written',
  'sqlite:committed',
  'backup:copied',
  'backup:renamed',
] as const;
export type NamedStep = (typeof steps)[number];

export type Reached = (step: NamedStep) => void;

export const unobserved: Reached = () => {};

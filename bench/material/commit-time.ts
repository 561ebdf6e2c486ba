import { StatementSync } from 'node:sqlite';

export interface CommitTime {
  /** Milliseconds spent in COMMIT since the last call. */
  readonly taken: () => number;
  readonly stop: () => void;
}

/** How long the process waits for commits, its own and the disk's part, no matter who makes them. */
export function watchCommits(): CommitTime {
  let ms = 0;
  // oxlint-disable-next-line typescript/unbound-method -- put back as it was
  const { run } = StatementSync.prototype;
  StatementSync.prototype.run = function watched(this: StatementSync, ...values) {
    if (this.sourceSQL !== 'COMMIT') return Reflect.apply(run, this, values) as ReturnType<typeof run>;
    const started = performance.now();
    const result = Reflect.apply(run, this, values) as ReturnType<typeof run>;
    ms += performance.now() - started;
    return result;
  };
  return {
    taken() {
      const taken = ms;
      ms = 0;
      return taken;
    },
    stop() {
      StatementSync.prototype.run = run;
    },
  };
}

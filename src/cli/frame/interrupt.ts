/** Ctrl-C for commands that run others: what they started is ended and recorded before this process goes. */
const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

export async function interruptible<T>(
  work: (signal: AbortSignal) => Promise<T>,
): Promise<{ readonly result: T; readonly interrupted: boolean }> {
  const controller = new AbortController();
  const stop = (): void => controller.abort();
  const before = signals.map((signal) => [signal, process.listeners(signal)] as const);
  for (const signal of signals) {
    process.removeAllListeners(signal);
    process.on(signal, stop);
  }
  try {
    const result = await work(controller.signal);
    return { result, interrupted: controller.signal.aborted };
  } finally {
    for (const [signal, listeners] of before) {
      process.off(signal, stop);
      for (const listener of listeners) process.on(signal, listener);
    }
  }
}

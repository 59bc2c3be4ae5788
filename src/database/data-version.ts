import process from 'node:process';

/** Resolves when the work of this turn of the event loop has gone as far as it can. */
const turnEnd = (): Promise<void> => new Promise((resolve) => process.nextTick(resolve));

/**
 * Shares one query among all callers that ask in the same turn of the event loop, or while another is running. It starts
 * after they asked, so it sees every earlier commit.
 */
export function shareReading<T>(read: () => Promise<T>): () => Promise<T> {
  const state: { current: Promise<unknown> | undefined; next: Promise<T> | undefined } = {
    current: undefined,
    next: undefined,
  };
  const begin = (): Promise<T> => {
    state.next = undefined;
    const reading = read();
    const ended = reading.then(
      () => {},
      () => {},
    );
    state.current = ended;
    void ended.then(() => {
      if (state.current === ended) state.current = undefined;
    });
    return reading;
  };
  return () => {
    state.next ??= (state.current ?? turnEnd()).then(begin);
    return state.next;
  };
}

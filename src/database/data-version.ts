/**
 * Shares one query among all callers that ask while another is running. It starts after they asked, so it
 * sees every earlier commit.
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
    if (state.current === undefined) return begin();
    state.next ??= state.current.then(begin);
    return state.next;
  };
}

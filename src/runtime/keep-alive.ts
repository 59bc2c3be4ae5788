/** Longer than anything waits; a timer that Node has to wait for. */
const HOUR_MS = 3_600_000;

/**
 * Lets the process live until a promise is settled. The clock's timers keep nothing alive, so that a process ends when its
 * work is done; work that waits for such a timer and for nothing else would end with it, half done and without a word.
 */
export async function keepAlive<T>(work: Promise<T>): Promise<T> {
  const timer = setInterval(() => {}, HOUR_MS);
  try {
    return await work;
  } finally {
    clearInterval(timer);
  }
}

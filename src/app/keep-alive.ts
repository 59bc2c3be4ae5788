/** Longer than any wait; a timer that keeps Node alive. */
const HOUR_MS = 3_600_000;

/**
 * Keeps the process alive until a promise settles. The clock's timers do not keep it alive, so that a process ends
 * when its work is done. Without this, work that only waits for such a timer would end half done and silently.
 */
export async function keepAlive<T>(work: Promise<T>): Promise<T> {
  const timer = setInterval(() => {}, HOUR_MS);
  try {
    return await work;
  } finally {
    clearInterval(timer);
  }
}

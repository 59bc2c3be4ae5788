/**
 * Keeps the process alive until a promise settles. The clock's timers do not keep it alive, so that a process ends
 * when its work is done. Without this, work that only waits for such a timer would end half done and silently.
 */
export declare function keepAlive<T>(work: Promise<T>): Promise<T>;

import type { Failure } from '../failure.ts';

/** Messages from a worker to the first process. */
export type WorkerMessage =
  | { readonly treadle: 'ready'; readonly drainSeconds: number }
  | { readonly treadle: 'failed'; readonly failure: Failure }
  /** It took this connection: the first process lets go of it. */
  | { readonly treadle: 'taken'; readonly id: number }
  /** It will end, and should get no further connection. */
  | { readonly treadle: 'leaving' }
  /** Somebody sent it SIGTERM. */
  | { readonly treadle: 'asked' };

/** Messages from the first process to a worker. */
export type PrimaryMessage =
  | { readonly treadle: 'serve'; readonly url: string }
  | { readonly treadle: 'connection'; readonly id: number }
  | { readonly treadle: 'drain' }
  | { readonly treadle: 'stop' };

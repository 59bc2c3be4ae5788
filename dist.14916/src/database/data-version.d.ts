/**
 * Shares one query among all callers that ask while another is running. It starts after they asked, so it
 * sees every earlier commit.
 */
export declare function shareReading<T>(read: () => Promise<T>): () => Promise<T>;

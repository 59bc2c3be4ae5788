import type { Exchange } from './exchange.ts';
/** True for a method that may change something. */
export declare const isUnsafe: (method: string) => boolean;
/** True if another site sent an unsafe method to a page. */
export declare function isForged(exchange: Exchange, baseUrl: string): boolean;

import type { Exchange } from './exchange.ts';
/**
 * The data of `getServer`: `REQUEST_METHOD`, `REQUEST_URI`, `QUERY_STRING`, `REMOTE_ADDR`, `REQUEST_TIME` (unix
 * seconds), `REQUEST_ID`, `HTTPS`, each header as `HTTP_<NAME>` and, for convenience, under its own lower-case name.
 */
export declare function toServerData(exchange: Exchange): Record<string, unknown>;

import type { IncomingMessage } from 'node:http';
import { type Pairs } from '../core/pairs.ts';
/** A parsed request body. */
export interface Body {
    readonly post: Pairs;
    readonly files: Pairs;
    /** Text, or bytes if the type is not text. */
    readonly raw: string | Buffer;
}
/** Whether a request announces a body. */
export declare function hasBody(req: IncomingMessage): boolean;
/** Media type without parameters, in lower case. */
export declare function toMediaType(header: string | undefined): string;
/**
 * Reads and parses a body.
 *
 * @throws REQUEST_ENCODING_REFUSED (415) for a compressed body: it could unpack to a thousand times its size.
 */
export declare function takeBody(req: IncomingMessage, limit: number): Promise<Body>;

import type { Request } from '../../core/request.ts';
/**
 * SHA-256 of a request's method, path, query and body, without its credentials. A form is hashed by its
 * values, because its multipart boundary differs each time.
 */
export declare function toFingerprint(request: Request): string;

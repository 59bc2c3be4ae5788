import type { Request } from '../core/request.ts';
/**
 * True if a program on this machine sends the request, without a proxy and by a local name. The `Host` counts
 * too: a foreign page could point its own name at 127.0.0.1 (DNS rebinding), and a tunnel forwards strangers
 * under the public name.
 */
export declare function isLocalRequest(request: Request): boolean;

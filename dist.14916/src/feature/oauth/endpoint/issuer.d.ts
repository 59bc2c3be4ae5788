import type { Problem } from '../../../core/errors.ts';
import type { Settings } from '../../../model/shape.ts';
/**
 * A public issuer must use https, because codes and tokens travel to it. In development only an advice.
 * @see RFC 8414 section 2
 */
export declare function findIssuerProblems({ server }: Settings, isDevelopment: boolean): Problem[];

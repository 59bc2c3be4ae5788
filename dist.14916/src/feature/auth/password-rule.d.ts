import type { Request } from '../../core/request.ts';
import type { Context } from '../../plan/feature.ts';
export declare const PASSWORD_LEAST = 8;
export declare const PASSWORD_MOST = 256;
/**
 * Messages by field for a new password: 8 to 256 characters of any kind, not among the most common.
 * @param confirm The repeated password; undefined if the form does not ask for it.
 */
export declare function findPasswordFaults(password: string, confirm: string | undefined): Record<string, string>;
/** Whether a text is too long for any password: it is not hashed. */
export declare const isTooLong: (password: string) => boolean;
/** The hash of a new password; a call inside a transaction has computed it before. */
export declare function makeHash({ services }: Context, request: Request, password: string): Promise<string>;

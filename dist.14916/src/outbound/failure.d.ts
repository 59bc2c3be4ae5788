import { TreadleError } from '../core/errors.ts';
/** Why an allowed call failed. */
export type Why = 'timeout' | 'resolve' | 'connect' | 'tls' | 'reset' | 'abort';
export declare const toFailure: (why: Why, message: string, cause?: unknown) => TreadleError;
export declare const toRefusal: (reason: string) => TreadleError;
/** Classifies an error of a socket or of TLS. */
export declare function toWhy(error: NodeJS.ErrnoException, isConnected: boolean): Why;

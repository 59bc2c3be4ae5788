import type { Settings } from '../model/shape.ts';
import { type Invocation, type OptionSpec } from './spec.ts';
/**
 * Options of the commands that serve. They have no defaults here, because the environment has priority over defaults.
 */
export declare const ADDRESS_OPTIONS: readonly OptionSpec[];
export interface Address {
    readonly port: number;
    readonly host: string;
}
/**
 * A warning if clients reach the server by plain http; undefined if it listens on this machine only, or a proxy
 * provides https. A public base URL with http is reported as a problem of the settings.
 */
export declare function findPlainHttp(host: string, { baseUrl, trustProxy }: Settings['server']): string | undefined;
/** The address to listen on: from the flags, then the environment, then 127.0.0.1:3000. */
export declare function readAddress(invocation: Invocation): Address;

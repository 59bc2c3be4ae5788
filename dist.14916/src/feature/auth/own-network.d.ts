import type { Clock } from '../../core/clock.ts';
/** Networks from which an account has recently logged in, in this process. */
export interface OwnNetworks {
    add(account: string, network: string): void;
    has(account: string, network: string): boolean;
}
export declare function createOwnNetworks(clock: Clock): OwnNetworks;

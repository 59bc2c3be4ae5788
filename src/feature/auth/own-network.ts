import { BoundedMap } from '../../core/bounded-map.ts';
import type { Clock } from '../../core/clock.ts';

/** Networks from which an account has recently logged in, in this process. */
export interface OwnNetworks {
  add(account: string, network: string): void;
  has(account: string, network: string): boolean;
}

const KEPT_MS = 30 * 86_400_000;
const MOST = 20_000;

export function createOwnNetworks(clock: Clock): OwnNetworks {
  const until = new BoundedMap<number>(MOST);
  const toKey = (account: string, network: string): string => `${account} ${network}`;
  return {
    add(account, network) {
      if (network !== '') until.set(toKey(account, network), clock.now() + KEPT_MS);
    },
    has: (account, network) => (until.get(toKey(account, network)) ?? 0) > clock.now(),
  };
}

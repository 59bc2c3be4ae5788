import type { Services } from '../../plan/feature.ts';
import { createGuessThrottle, type GuessThrottle } from './guess-throttle.ts';

interface Guesses {
  readonly account: GuessThrottle;
  readonly address: GuessThrottle;
}

/** By the services that it serves: a reload forgets no failure, and two apps in one process share none. */
const kept = new WeakMap<Services, Guesses>();

function findGuesses(services: Services): Guesses {
  const known = kept.get(services);
  if (known) return known;
  const made = {
    account: createGuessThrottle(services.clock, { free: 5, forgetSeconds: 3600, isForgiving: true }),
    // An address may be a whole office, so it is given more, and one right password forgives nothing.
    address: createGuessThrottle(services.clock, { free: 30, forgetSeconds: 60, isForgiving: false }),
  };
  kept.set(services, made);
  return made;
}

/**
 * Lets one try of an account's password run.
 *
 * @param keys The account, and the address that it comes from (empty where it comes from none).
 * @returns What the try gave, or the seconds to wait.
 */
export async function guess(
  services: Services,
  keys: { readonly account: string; readonly address: string },
  attempt: () => Promise<boolean>,
): Promise<{ readonly isRight: boolean; readonly waitSeconds: number }> {
  const { account, address } = findGuesses(services);
  const byAddress = keys.address === '' ? 0 : address.begin(keys.address);
  if (byAddress > 0) return { isRight: false, waitSeconds: byAddress };
  const byAccount = account.begin(keys.account);
  let isRight = false;
  try {
    if (byAccount > 0) return { isRight: false, waitSeconds: byAccount };
    isRight = await attempt();
    return { isRight, waitSeconds: 0 };
  } finally {
    if (byAccount === 0) account.settle(keys.account, isRight);
    if (keys.address !== '') address.settle(keys.address, isRight);
  }
}

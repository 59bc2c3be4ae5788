import { BoundedMap } from '../../core/bounded-map.ts';
import type { Clock } from '../../core/clock.ts';
import { memoize } from '../../core/memoize.ts';
import type { Request } from '../../core/request/request.ts';
import { isInternal, parseNode, toNetwork } from '../../core/text/network.ts';
import { isTrusting } from '../../model/trusted-proxies.ts';
import type { Context, Services } from '../../plan/feature.ts';
import { toAddress } from './account/account.ts';
import { createGuessThrottle, type GuessThrottle, type Verdict } from './guess-throttle.ts';

/** Networks from which an account has recently logged in, in this process. */
interface OwnNetworks {
  add(account: string, network: string): void;
  has(account: string, network: string): boolean;
}

const RETENTION_MS = 30 * 86_400_000;
const MOST = 20_000;

function createOwnNetworks(clock: Clock): OwnNetworks {
  const until = new BoundedMap<number>(MOST);
  const toKey = (account: string, network: string): string => `${account} ${network}`;
  return {
    add(account, network) {
      if (network !== '') until.set(toKey(account, network), clock.now() + RETENTION_MS);
    },
    has: (account, network) => (until.get(toKey(account, network)) ?? 0) > clock.now(),
  };
}

interface Guesses {
  /** By account and network: nobody can lock someone else out. */
  readonly pair: GuessThrottle;
  /** The same, stricter, for strangers to an account under attack. */
  readonly braked: GuessThrottle;
  /** By account: failures of strangers. */
  readonly strangers: GuessThrottle;
  readonly network: GuessThrottle;
  readonly device: GuessThrottle;
  readonly own: OwnNetworks;
  /** Whether the untrusted proxy has been logged. */
  isProxyTold: boolean;
}

/**
 * Failures of strangers at one account, each within an hour of the last, after which each stranger has one
 * free attempt.
 */
const BRAKED_AFTER = 20;
const HOUR = 3600;

/** By services: a reload keeps failures, and two apps in one process do not share them. */
const findGuesses = memoize(({ clock }: Services): Guesses => {
  const throttle = (rule: Parameters<typeof createGuessThrottle>[1]): GuessThrottle => createGuessThrottle(clock, rule);
  return {
    pair: throttle({ free: 5, forgetSeconds: HOUR, isForgiving: true }),
    braked: throttle({ free: 1, firstSeconds: 60, forgetSeconds: HOUR, isForgiving: true }),
    strangers: throttle({ free: Number.POSITIVE_INFINITY, forgetSeconds: HOUR, isForgiving: false }),
    // A network may be a whole office: more attempts, at most a minute of delay, and a success clears
    // nothing.
    network: throttle({ free: 30, mostSeconds: 60, forgetSeconds: 60, isForgiving: false }),
    // Only the account's owner has this key, so failures with it delay nobody else.
    device: throttle({ free: 5, mostSeconds: 60, forgetSeconds: HOUR, isForgiving: true }),
    own: createOwnNetworks(clock),
    isProxyTold: false,
  };
});

const FORWARDED = ['forwarded', 'x-forwarded-for', 'x-real-ip'];

/** Whether a proxy that the settings do not trust seems to forward a request. */
function isFromUntrusted({ plan }: Context, request: Request): boolean {
  const { trustProxy } = plan.model.settings.server;
  const address = toAddress(request);
  if (!isInternal(address) || !FORWARDED.some((name) => request.getHeader(name) !== undefined)) return false;
  if (typeof trustProxy !== 'object') return !isTrusting(trustProxy);
  // A trusted proxy in a private network may well name a client there.
  const entries = String(request.getHeader('x-forwarded-for') ?? '').split(',');
  return !entries.some((node) => parseNode(node) === address);
}

/**
 * Logs once that a proxy which the settings do not trust forwards requests: all visitors then count as one
 * network. Its headers are still ignored, because any client of this port can send them.
 */
function tellProxy(context: Context, guesses: Guesses, request: Request): void {
  if (guesses.isProxyTold || !isFromUntrusted(context, request)) return;
  guesses.isProxyTold = true;
  context.services.log.warn('all visitors have one address: server.trustProxy does not trust the proxy', {
    proxy: toAddress(request),
    hint: 'Set server.trustProxy to the number of proxies where only they can reach this port, or to their networks.',
  });
}

export interface Guesser {
  /** E-mail of the account, in stored form. */
  readonly account: string;
  readonly request: Request;
  /** Key of a device or session that the account knows; undefined for a stranger. */
  readonly device?: string | undefined;
}

/** Throttles that apply to an attempt, with their keys. */
type ThrottleKeys = readonly (readonly [GuessThrottle, string])[];

function findJudges(context: Context, guesses: Guesses, { account, request, device }: Guesser): ThrottleKeys {
  if (device !== undefined) return [[guesses.device, device]];
  const network = toNetwork(toAddress(request));
  const pair = `${account} ${network}`;
  tellProxy(context, guesses, request);
  // An account at which many strangers fail can be tried without delay only from its own network.
  const isBraked = guesses.strangers.failures(account) >= BRAKED_AFTER && !guesses.own.has(account, network);
  return [
    ...(network === '' ? [] : ([[guesses.network, network]] as const)),
    [guesses.pair, pair],
    ...(isBraked ? ([[guesses.braked, pair]] as const) : []),
  ];
}

/** Starts an attempt at all throttles or at none; returns the seconds to wait. */
function beginAll(judges: ThrottleKeys): number {
  for (const [index, [throttle, key]] of judges.entries()) {
    const wait = throttle.begin(key);
    if (wait === 0) continue;
    for (const [begun, own] of judges.slice(0, index)) begun.settle(own, 'unknown');
    return wait;
  }
  return 0;
}

/**
 * Counts a stranger's attempt: a failure slows all strangers, a success makes the network the account's
 * own.
 */
function learn(guesses: Guesses, { account, request, device }: Guesser, verdict: Verdict): void {
  const network = toNetwork(toAddress(request));
  if (verdict === 'right') guesses.own.add(account, network);
  else if (verdict === 'wrong' && device === undefined) {
    guesses.strangers.settle(account, 'wrong');
  }
}

/**
 * Runs one attempt at an account's password, unless it must wait. An attempt that could not run does not
 * count.
 * @returns The result of the attempt, or the seconds to wait.
 */
export async function guess(
  context: Context,
  guesser: Guesser,
  attempt: () => Promise<boolean>,
): Promise<{ readonly isRight: boolean; readonly waitSeconds: number }> {
  const guesses = findGuesses(context.services);
  const judges = findJudges(context, guesses, guesser);
  const waitSeconds = beginAll(judges);
  if (waitSeconds > 0) return { isRight: false, waitSeconds };
  const state: { verdict: Verdict } = { verdict: 'unknown' };
  try {
    const isRight = await attempt();
    state.verdict = isRight ? 'right' : 'wrong';
    return { isRight, waitSeconds: 0 };
  } finally {
    for (const [throttle, key] of judges) throttle.settle(key, state.verdict);
    learn(guesses, guesser, state.verdict);
  }
}

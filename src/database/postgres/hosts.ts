import type { Client } from 'pg';
import type { Clock } from '../../core/clock.ts';
import { readServerState, refuseState, type ServerState, type SessionTarget } from './session-target.ts';

/** One server of the URL; missing parts come from `PGHOST` and `PGPORT`. */
export interface Host {
  readonly host?: string | undefined;
  readonly port?: number | undefined;
}

/** Milliseconds that earlier hosts of the URL still have after a later one has answered. */
const GRACE_MILLISECONDS = 300;

export interface HostsOptions {
  readonly hosts: readonly Host[];
  readonly target: SessionTarget;
  readonly clock: Clock;
  /** Creates a client for one host, not yet connected, with a connection time-out. */
  readonly createClient: (host: Host) => Client;
}

type Look = { readonly state: ServerState } | { readonly error: unknown };

/**
 * Chooses the server of the URL. If there are several, asks all at once and takes the first in the URL's
 * order that fits `target_session_attrs`; asks again after a loss.
 *
 * @see https://www.postgresql.org/docs/current/libpq-connect.html section 34.1.1.3
 */
export class Hosts {
  readonly #options: HostsOptions;
  #current: Host;
  #isKnown: boolean;
  #search: Promise<void> | undefined;

  constructor(options: HostsOptions) {
    this.#options = options;
    this.#current = options.hosts[0] ?? {};
    this.#isKnown = !this.isSeveral;
  }

  get isSeveral(): boolean {
    return this.#options.hosts.length > 1;
  }

  get current(): Host {
    return this.#current;
  }

  /**
   * What a connection to the chosen server must offer. A standby that is only preferred is no requirement.
   */
  get target(): SessionTarget {
    const { target } = this.#options;
    return target === 'prefer-standby' ? 'any' : target;
  }

  /** The chosen server was lost or changed its role: asks all servers before the next connection. */
  forget(): void {
    if (this.isSeveral) this.#isKnown = false;
  }

  /** Resolves at once if a server is already chosen. @throws the error of the first host if none fits. */
  find(): Promise<void> | undefined {
    if (this.#isKnown) return undefined;
    this.#search ??= this.#choose().finally(() => {
      this.#search = undefined;
    });
    return this.#search;
  }

  async #choose(): Promise<void> {
    const { hosts, target, clock } = this.#options;
    const looks: (Look | undefined)[] = hosts.map(() => undefined);
    const found = await new Promise<number>((resolve, reject) => {
      let grace: (() => void) | undefined;
      const settle = (isLast: boolean): void => {
        const isOver = isLast || looks.every((look) => look !== undefined);
        const index = findFit(looks, target, isOver);
        if (index !== undefined) {
          grace?.();
          resolve(index);
        } else if (isOver) {
          grace?.();
          reject(chooseError(looks, target));
        } else if (grace === undefined && findFit(looks, target, true) !== undefined) {
          grace = clock.after(GRACE_MILLISECONDS, () => settle(true));
        }
      };
      hosts.forEach(async (host, index) => {
        looks[index] = await this.#look(host);
        settle(false);
      });
    });
    this.#current = hosts[found] ?? this.#current;
    this.#isKnown = true;
  }

  async #look(host: Host): Promise<Look> {
    const client = this.#options.createClient(host);
    client.on('error', () => {});
    try {
      await client.connect();
      return { state: await readServerState(client) };
    } catch (error) {
      return { error };
    } finally {
      client.end().catch(() => {});
    }
  }
}

const isFit = (look: Look | undefined, target: SessionTarget): boolean =>
  look !== undefined && 'state' in look && refuseState(look.state, target) === undefined;

/**
 * The first host that fits. With `isOver`, skips hosts that have not answered, and no longer prefers a
 * standby.
 */
function findFit(looks: readonly (Look | undefined)[], target: SessionTarget, isOver: boolean): number | undefined {
  const wanted = target === 'prefer-standby' ? 'standby' : target;
  for (const [index, look] of looks.entries()) {
    if (isFit(look, wanted)) return index;
    if (look === undefined && !isOver) return undefined;
  }
  if (target !== 'prefer-standby' || !isOver) return undefined;
  const any = looks.findIndex((look) => isFit(look, 'any'));
  return any < 0 ? undefined : any;
}

/** Prefers the error of a server that responded. */
function chooseError(looks: readonly (Look | undefined)[], target: SessionTarget): unknown {
  for (const look of looks) {
    if (look !== undefined && 'state' in look) return refuseState(look.state, target);
  }
  const [first] = looks;
  return first !== undefined && 'error' in first ? first.error : new Error('Connection terminated unexpectedly');
}

import type { Duplex } from 'node:stream';
import type { Client, ClientConfig } from 'pg';
import type { Host } from './hosts.ts';

/** Members of `pg` that its types leave out. */
interface Inner {
  readonly connection: { readonly stream: Duplex };
}

/** Destroys a connection at once: running statements fail with this error. */
function destroy(client: object, error: Error): void {
  (client as Inner).connection.stream.destroy(error);
}

export interface Clients {
  /** For the pool, which creates its clients itself: each connects to the host in use at that time. */
  readonly PooledClient: new () => Client;
  /** A client outside the pool, not yet connected, for this host or the one in use. */
  create(more?: ClientConfig, host?: Host): Client;
  /** Destroys every connection, including those being opened. */
  destroyAll(error: Error): void;
}

/** Creates the clients and tracks those that have a socket. */
export function createClients(Base: typeof Client, config: ClientConfig, current: () => Host): Clients {
  const open = new Set<Client>();
  const toConfig = (host: Host): ClientConfig =>
    Object.fromEntries(Object.entries(host).filter(([, value]) => value !== undefined));
  class PooledClient extends Base {
    constructor(own: ClientConfig = {}) {
      super({ ...own, ...toConfig(current()) });
      open.add(this);
      this.once('end', () => open.delete(this));
    }
  }
  return {
    PooledClient: PooledClient as new () => Client,
    create: (more = {}, host = undefined) =>
      host === undefined
        ? new PooledClient({ ...config, ...more })
        : new Base({ ...config, ...more, ...toConfig(host) }),
    destroyAll(error) {
      for (const client of [...open]) destroy(client, error);
    },
  };
}

import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import type { Socket } from 'node:net';

/** Idle sockets to one receiver, and to all. */
const MOST_EACH = 2;
const MOST = 64;
/** An idle socket is closed after this time. */
const IDLE_MS = 4000;

const OPTIONS = { keepAlive: true, maxFreeSockets: MOST_EACH, timeout: IDLE_MS, scheduling: 'lifo' } as const;

/** What a request says beside Node's own options: the addresses that were judged for it. */
interface Pinned {
  readonly pinned?: string;
}

const countFree = (free: NodeJS.ReadOnlyDict<Socket[]>): number =>
  Object.values(free).reduce((sum, sockets) => sum + (sockets?.length ?? 0), 0);

/** A socket serves a later request only where the same addresses were judged for that one too. */
class KeptHttp extends HttpAgent {
  override getName(options?: Parameters<HttpAgent['getName']>[0] & Pinned): string {
    return `${super.getName(options)}|${options?.pinned}`;
  }
  override keepSocketAlive(socket: Socket): boolean {
    return countFree(this.freeSockets) < MOST && (super.keepSocketAlive(socket) as unknown as boolean);
  }
}

class KeptHttps extends HttpsAgent {
  override getName(options?: Parameters<HttpsAgent['getName']>[0] & Pinned): string {
    return `${super.getName(options)}|${options?.pinned}`;
  }
  override keepSocketAlive(socket: Socket): boolean {
    return countFree(this.freeSockets) < MOST && (super.keepSocketAlive(socket) as unknown as boolean);
  }
}

/** Connections that wait for the next call to the same receiver, few and not for long. They keep no process running. */
export interface KeptSockets {
  agent(isSecure: boolean): HttpAgent;
}

export function createKeptSockets(): KeptSockets {
  const [plain, secure] = [new KeptHttp(OPTIONS), new KeptHttps(OPTIONS)];
  return { agent: (isSecure) => (isSecure ? secure : plain) };
}

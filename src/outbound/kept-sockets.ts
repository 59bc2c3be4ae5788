import { type ClientRequest, Agent as HttpAgent } from 'node:http';
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

/** Whether one more socket may wait idle. */
type HasRoom = () => boolean;

const countFree = (free: NodeJS.ReadOnlyDict<Socket[]>): number =>
  Object.values(free).reduce((sum, sockets) => sum + (sockets?.length ?? 0), 0);

/** One function for all sockets, so that it can be taken off again. */
function hangUp(this: Socket): void {
  this.destroy();
}

/**
 * Nobody asked an idle socket for anything: what arrives on it belongs to no call, and each byte of it would begin the idle
 * time anew, so that a receiver could hold its socket, and its share of the room, for ever.
 */
function watchIdle(socket: Socket, isKept: boolean): boolean {
  if (isKept) socket.on('data', hangUp);
  return isKept;
}

/** A socket serves a later request only where the same addresses were judged for that one too. */
class KeptHttp extends HttpAgent {
  readonly #hasRoom: HasRoom;
  constructor(hasRoom: HasRoom) {
    super(OPTIONS);
    this.#hasRoom = hasRoom;
  }
  override getName(options?: Parameters<HttpAgent['getName']>[0] & Pinned): string {
    return `${super.getName(options)}|${options?.pinned}`;
  }
  override keepSocketAlive(socket: Socket): boolean {
    return watchIdle(socket, this.#hasRoom() && (super.keepSocketAlive(socket) as unknown as boolean));
  }
  override reuseSocket(socket: Socket, request: ClientRequest): void {
    super.reuseSocket(socket.off('data', hangUp), request);
  }
}

class KeptHttps extends HttpsAgent {
  readonly #hasRoom: HasRoom;
  constructor(hasRoom: HasRoom) {
    super(OPTIONS);
    this.#hasRoom = hasRoom;
  }
  override getName(options?: Parameters<HttpsAgent['getName']>[0] & Pinned): string {
    return `${super.getName(options)}|${options?.pinned}`;
  }
  override keepSocketAlive(socket: Socket): boolean {
    return watchIdle(socket, this.#hasRoom() && (super.keepSocketAlive(socket) as unknown as boolean));
  }
  override reuseSocket(socket: Socket, request: ClientRequest): void {
    super.reuseSocket(socket.off('data', hangUp), request);
  }
}

/** Connections that wait for the next call to the same receiver, few and not for long. They keep no process running. */
export interface KeptSockets {
  agent(isSecure: boolean): HttpAgent;
}

export function createKeptSockets(): KeptSockets {
  const agents: HttpAgent[] = [];
  const hasRoom: HasRoom = () => agents.reduce((sum, agent) => sum + countFree(agent.freeSockets), 0) < MOST;
  const [plain, secure] = [new KeptHttp(hasRoom), new KeptHttps(hasRoom)];
  agents.push(plain, secure);
  return { agent: (isSecure) => (isSecure ? secure : plain) };
}

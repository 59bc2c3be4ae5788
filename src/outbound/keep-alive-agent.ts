import { type ClientRequest, Agent as HttpAgent } from 'node:http';
import type { Socket } from 'node:net';
import process from 'node:process';
import { once } from '../core/memoize.ts';

/** Idle sockets to one receiver, and in total. */
const MOST_EACH = 2;
const MOST = 64;
/** An idle socket is closed after this time. */
const IDLE_MS = 4000;

const OPTIONS = { keepAlive: true, maxFreeSockets: MOST_EACH, timeout: IDLE_MS, scheduling: 'lifo' } as const;

/** Request options in addition to Node's own: the addresses that were checked for it. */
interface PinnedOptions {
  readonly pinned?: string;
}

/** Whether one more idle socket fits. */
type HasRoom = () => boolean;

const countFree = (free: NodeJS.ReadOnlyDict<Socket[]>): number =>
  Object.values(free).reduce((sum, sockets) => sum + (sockets?.length ?? 0), 0);

/** One shared function, so that it can be removed as a listener. */
function hangUp(this: Socket): void {
  this.destroy();
}

/**
 * Closes an idle socket that receives data: it belongs to no request. Each byte would restart the idle
 * timer, so a receiver could hold a socket and its share of the limit for ever.
 */
function watchIdle(socket: Socket, isKeptAlive: boolean): boolean {
  if (isKeptAlive) socket.on('data', hangUp);
  return isKeptAlive;
}

/** An agent that reuses a socket only if the new request was checked for the same addresses. */
function createAgent(Base: typeof HttpAgent, hasRoom: HasRoom): HttpAgent {
  class KeepAliveAgent extends Base {
    override getName(options?: Parameters<HttpAgent['getName']>[0] & PinnedOptions): string {
      return `${super.getName(options)}|${options?.pinned}`;
    }
    override keepSocketAlive(socket: Socket): boolean {
      // The types say nothing of what it returns.
      const keep = (): unknown => super.keepSocketAlive(socket);
      return watchIdle(socket, hasRoom() && keep() === true);
    }
    override reuseSocket(socket: Socket, request: ClientRequest): void {
      super.reuseSocket(socket.off('data', hangUp), request);
    }
  }
  return new KeepAliveAgent(OPTIONS);
}

/**
 * Idle connections for the next call to the same receiver: few, and for a short time. They do not keep the
 * process running.
 */
export interface KeepAliveAgents {
  agent(isSecure: boolean): HttpAgent;
}

export function createKeepAliveAgents(): KeepAliveAgents {
  const agents: HttpAgent[] = [];
  const hasRoom: HasRoom = () => agents.reduce((sum, agent) => sum + countFree(agent.freeSockets), 0) < MOST;
  const add = (Base: typeof HttpAgent): HttpAgent => {
    const agent = createAgent(Base, hasRoom);
    agents.push(agent);
    return agent;
  };
  const plain = once(() => add(HttpAgent));
  // Node's TLS takes 2 ms to load.
  const secure = once(() => add(process.getBuiltinModule('node:https').Agent));
  return { agent: (isSecure) => (isSecure ? secure() : plain()) };
}

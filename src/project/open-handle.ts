import { createHook, executionAsyncId } from 'node:async_hooks';
import { findPlace } from './module-fault.ts';

/** A socket or server that the project's code opened while it loaded. */
export interface OpenHandle {
  /** In words, such as `a connection`. */
  readonly what: string;
  /** `file:line` of the project's code; undefined if the stack does not show it. */
  readonly place: string | undefined;
  isOpen(): boolean;
}

/** Node's names of the resources that hold a descriptor. */
const WORDS: Readonly<Record<string, string>> = {
  TCPWRAP: 'a connection',
  PIPEWRAP: 'a connection',
  TCPSERVERWRAP: 'a server',
  PIPESERVERWRAP: 'a server',
  UDPWRAP: 'a socket',
};
/** Steps between the call of the project's code and the socket: a lookup of the host's name. */
const STEPS = new Set(['TickObject', 'GETADDRINFOREQWRAP']);
/**
 * Notes the sockets that are made until `end`. Watching makes promises slower, so it ends with the loading.
 * @param isOwn Whether the running code is to be watched.
 */
export function watchHandles(root: string, isOwn: () => boolean): { end(): readonly OpenHandle[] } {
  const found: OpenHandle[] = [];
  const places = new Map<number, string | undefined>();
  const findOwnPlace = (): string | undefined => findPlace(root) ?? places.get(executionAsyncId());
  const hook = createHook({
    init(id, type, _trigger, resource) {
      const what = WORDS[type];
      if ((what === undefined && !STEPS.has(type)) || !isOwn()) return;
      if (what === undefined) return void places.set(id, findOwnPlace());
      // A closed handle has no descriptor; a collected one was closed.
      const handle = new WeakRef(resource as { readonly fd?: number });
      found.push({ what, place: findOwnPlace(), isOpen: () => (handle.deref()?.fd ?? -1) >= 0 });
    },
  }).enable();
  return {
    end() {
      hook.disable();
      return found;
    },
  };
}

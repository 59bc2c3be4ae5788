import type { OutgoingHttpHeaders, ServerResponse } from 'node:http';

/** True for server-sent events. @see https://html.spec.whatwg.org/multipage/server-sent-events.html */
export const isEventStream = (headers: OutgoingHttpHeaders): boolean =>
  String(headers['content-type']).startsWith('text/event-stream');

/** Keeps proxies from collecting events before they send them on; what a route says itself stays. */
export function addStreamHeaders(headers: OutgoingHttpHeaders, own: Readonly<Record<string, unknown>>): void {
  if (own['cache-control'] === undefined) headers['cache-control'] = 'no-store, no-transform';
  headers['x-accel-buffering'] ??= 'no';
}

/**
 * The streams of events of the project's routes that are open. They have no end of their own: one would hold up the end of
 * the process, and after a reload nobody would write into it. A browser connects again by itself.
 */
export class EventStreams {
  readonly #open = new Map<object, Set<ServerResponse>>();

  /** @param plan Whose code writes the stream. */
  add(plan: object, res: ServerResponse): void {
    const open = this.#open.get(plan) ?? new Set();
    this.#open.set(plan, open.add(res));
    res.once('close', () => {
      open.delete(res);
      if (open.size === 0) this.#open.delete(plan);
    });
  }

  /** Ends the streams of a plan. Default: all. */
  end(plan?: object): void {
    const ended = plan === undefined ? [...this.#open.values()] : [this.#open.get(plan) ?? new Set<ServerResponse>()];
    for (const open of ended) for (const res of open) res.end();
  }
}

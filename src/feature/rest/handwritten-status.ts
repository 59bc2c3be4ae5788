import type { Listener } from '../../core/bus.ts';
import type { Log } from '../../core/log.ts';

interface Told {
  readonly name: string;
  /** As the call says it; undefined: 200. */
  readonly status: number | undefined;
  readonly log: Log;
}

/** Sets the status of a call's successful answers, and logs once if its listener sets another than the docs tell. */
export function withStatus(listener: Listener, { name, status = 200, log }: Told): Listener {
  const state = { isTold: false };
  return async (request, response, meta) => {
    const result = await listener(request, response, meta);
    if (response.isError() || response.isRedirect()) return result;
    const given = response.getStatus();
    if (given === 200) response.setStatus(status);
    else if (given !== status && given < 300 && !state.isTold) {
      state.isTold = true;
      const message = `The call ${name} answers ${given}, but its docs say ${status}.`;
      log.warn('call.status', { call: name, message, hint: `Write app.rest({ …, status: ${given} }, listener).` });
    }
    return result;
  };
}

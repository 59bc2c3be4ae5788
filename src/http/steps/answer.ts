import type { Step } from '../../core/compose.ts';
import type { Exchange, HandledExchange } from '../exchange.ts';
import { findFailure, type Responder } from '../respond/respond.ts';
import type { RuntimeSessions } from '../session/session.ts';

interface AnswerParts {
  readonly responder: Responder;
  readonly sessions: RuntimeSessions;
}

/** The last steps of every kind of route: what the listeners left in the response becomes the answer. */
export function createAnswerSteps({ responder, sessions }: AnswerParts) {
  /** Renders the page of a failure while the session is still open, because the site's layout may show it. */
  const failure: Step<Exchange, 'failure'> = {
    name: 'failure',
    run(x: HandledExchange, next) {
      const { response, request } = x;
      const found = findFailure(response);
      if (found === undefined) return next(x);
      return responder.renderFailure(x, found, request).then((page) => {
        x.failure = { failure: found, page };
        return next(x);
      });
    },
  };

  const closeSession: Step<Exchange, 'closeSession'> = {
    name: 'closeSession',
    run(x: HandledExchange, next) {
      if (x.kind !== 'page' || x.isDone) return next(x);
      return sessions.close(x.request).then((cookie) => {
        x.cookie = cookie;
        return next(x);
      });
    },
  };

  const respond: Step<Exchange, 'respond'> = { name: 'respond', run: (x: HandledExchange) => responder.send(x) };

  return { failure, closeSession, respond };
}

import { continueWith } from '../../core/continue-with.ts';
import type { Response } from '../../core/request/response.ts';
import type { CallShape } from '../call/call-shape.ts';
import type { Context } from '../feature.ts';

interface CheckedResults {
  /** `call`, `event`. */
  readonly kind: 'call' | 'event';
  /** Of the call or the event. */
  readonly name: string;
  /** What the code says of its results. */
  readonly shape: CallShape | undefined;
}

/** Warns once, in development and in tests, of results that break the shape that the code says. */
export function createResultCheck({
  kind,
  name,
  shape,
}: CheckedResults): (context: Context, response: Response) => unknown {
  const state = { isTold: false };
  return ({ plan, services }, response) => {
    const results: unknown = response.getResults();
    if (shape === undefined || !plan.checksResults || state.isTold || results === undefined) return undefined;
    return continueWith(shape.check(results), ({ issues: [first] }) => {
      if (first === undefined || state.isTold) return;
      state.isTold = true;
      const message = `The results of the ${kind} ${name} break their shape: ${first.path.join('.') || 'results'}: ${first.message}.`;
      services.log.warn('result.shape', { [kind]: name, message });
    });
  };
}

/** The rest of a list of steps. */
export type Next<X> = (x: X) => unknown;

/** One step of something that is done in order, such as an answer to a request. */
export interface Step<X, Name extends string = string> {
  readonly name: Name;
  /**
   * Calls `next` to go on; without that, the step has the last word. Gives a promise only if it waits. A method, so that a step
   * may name what the steps before it have added to `x`.
   */
  run(x: X, next: Next<X>): unknown;
}

/**
 * Binds steps to one function, once: what runs for a request makes no closure. All that the steps know lies in `x`.
 * @param end Runs after the last step. Default: nothing.
 */
export const compose = <X>(steps: readonly Step<X>[], end: Next<X> = () => undefined): Next<X> =>
  steps.reduceRight<Next<X>>(
    (next, { run }) =>
      (x) =>
        run(x, next),
    end,
  );

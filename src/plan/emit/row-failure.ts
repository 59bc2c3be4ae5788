import type { Refusal } from '../../core/request/response.ts';

/** A failure inside a write: thrown to roll the write back, then set on the response. */
export class RowFailure extends Error {
  readonly failure: Refusal;

  constructor(failure: Refusal) {
    super(failure.message);
    this.failure = failure;
  }
}

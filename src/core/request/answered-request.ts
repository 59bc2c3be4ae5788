import type { Request } from './request.ts';

/** How a request was answered. */
export interface AnsweredRequest {
  readonly status: number;
  readonly method: string;
  /** Path without its query. */
  readonly path: string;
  /** The id that the answer has as X-Request-Id, and the log. */
  readonly id: string;
  readonly milliseconds: number;
}

/** Called with a request and how it was answered. */
export type AnswerListener = (request: Request, answered: AnsweredRequest) => void;

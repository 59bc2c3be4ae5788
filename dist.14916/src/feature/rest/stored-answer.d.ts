import type { Response } from '../../core/response.ts';
/** The answer as text; undefined for a stream, which cannot be sent twice. */
export declare function printAnswer(response: Response): string | undefined;
/** Sets a kept answer on a response. */
export declare function setAnswer(response: Response, status: number, text: string): void;

import type { CallPlan, Context } from '../../plan/feature.ts';
import type { Middleware } from './precondition.ts';
/**
 * Compiles the short way to an answer that was given before; undefined for a call that writes, or that project code
 * answers.
 *
 * If no process has written any of the tables that were read for an answer, the answer is unchanged, and no row is read:
 * a client that sends its ETag gets 304, another one the same body. Project listeners may add data from elsewhere, so a
 * call that they hear is always run.
 *
 * @see RFC 9110 section 13.1.2
 */
export declare function compileKeptAnswer(call: CallPlan, context: Context): Middleware | undefined;

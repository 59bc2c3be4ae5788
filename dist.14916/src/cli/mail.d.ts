import type { Problem } from '../core/errors.ts';
import type { Settings } from '../model/shape.ts';
import type { Environment } from '../project/environment.ts';
/** What does not work in production without a mail server; undefined if one is set. */
export declare function findMailGap({ mailServer }: Environment, { auth }: Settings): string | undefined;
/**
 * The same as advice for `treadle check`, where it matters to the files: on the machine of production, and wherever sign-up
 * depends on mail.
 */
export declare function toMailAdvice(environment: Environment, settings: Settings): Problem[];

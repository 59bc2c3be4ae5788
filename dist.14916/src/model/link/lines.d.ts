import type { Problem } from '../../core/errors.ts';
import type { Definitions } from '../definitions.ts';
/** The problems of definition files, each with the line and column of its path. */
export declare function addLines(problems: readonly Problem[], definitions: Definitions): Problem[];

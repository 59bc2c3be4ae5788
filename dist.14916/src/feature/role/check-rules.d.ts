import { type Problem } from '../../core/errors.ts';
import type { Model } from '../../model/model.ts';
/** Problems in the filters of roles. */
export declare function checkRules(model: Model): Problem[];

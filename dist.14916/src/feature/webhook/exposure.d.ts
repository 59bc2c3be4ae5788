import type { Problem } from '../../core/errors.ts';
import type { HookModel } from '../../model/model.ts';
import type { Facts } from '../../plan/feature.ts';
/**
 * Warns when any self-registered app could subscribe to data that no API call gives it, or delay the
 * action. Set `approval` (true or false) to silence it.
 */
export declare function judgeExposure(hook: HookModel, facts: Facts): Problem[];

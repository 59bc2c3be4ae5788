import type { Problem } from '../core/errors.ts';
import type { CallModel, Model } from '../model/model.ts';
import type { Facts } from './feature.ts';
/**
 * Slugs of the scopes that open a hand-written call: the one that it names, and those that list its name in
 * their file.
 */
export declare function listScopes({ name, scopes }: CallModel, model: Model): readonly string[];
/** Problems of hand-written calls: their names, and their scopes. */
export declare function findOwnCallProblems({ model, calls }: Facts): Problem[];

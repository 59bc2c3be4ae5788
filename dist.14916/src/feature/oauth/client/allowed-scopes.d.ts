import type { Model } from '../../../model/model.ts';
import type { Context } from '../../../plan/feature.ts';
import type { ClientApp } from './app-row.ts';
type Holder = Pick<ClientApp, 'name' | 'scopes' | 'approved'>;
/**
 * Whether an app may use a scope: it lists it and has any approval needed. What a definition file lists is
 * approved, because it was reviewed with the project.
 */
export declare function isScopeAllowed({ scopes }: Model, app: Holder, slug: string): boolean;
/** The scopes of one kind that an app may use, in its own order. */
export declare function listAllowedScopes(model: Model, app: Holder, access: 'app' | 'user'): string[];
/** Words of a `scope` parameter without duplicates. */
export declare const toSlugs: (text: string, separator?: RegExp) => string[];
/** Scopes that an app lists and that await approval. */
export declare const findPending: ({ plan: { model } }: Context, app: Holder) => string[];
export {};

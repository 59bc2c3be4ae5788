import type { HookModel } from '../../model/model.ts';
/**
 * Stable name of a hook for its receivers. A renamed hook keeps the secret and receivers of its first name.
 * If another hook takes that name, they stay separate.
 */
export declare function toIdentity({ name, definition }: HookModel, hooks: readonly HookModel[]): string;

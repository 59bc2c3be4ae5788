import type { HookModel } from '../../../model/model.ts';

/**
 * Stable name of a hook for its receivers. A renamed hook keeps the secret and receivers of its first name.
 * If another hook takes that name, they stay separate.
 */
export function toIdentity({ name, definition }: HookModel, hooks: readonly HookModel[]): string {
  const { secretName = name } = definition;
  return secretName !== name && hooks.some((other) => other.name === secretName) ? name : secretName;
}

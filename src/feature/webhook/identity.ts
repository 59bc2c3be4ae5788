import type { HookModel } from '../../model/model.ts';

/**
 * The name that a hook's receivers are known by, whatever it is called now: a renamed hook signs on with the secret of its
 * first name, and its receivers are those that it had. Where another hook took that name, they are two.
 */
export function toIdentity({ name, definition }: HookModel, hooks: readonly HookModel[]): string {
  const { secretName = name } = definition;
  return secretName !== name && hooks.some((other) => other.name === secretName) ? name : secretName;
}

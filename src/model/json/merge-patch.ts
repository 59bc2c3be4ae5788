import { isSafeKey } from '../../core/request/registry.ts';
import { isRecord } from './json-value.ts';

/**
 * Applies a merge patch: merges the members of objects; null removes a member, any other value replaces it.
 *
 * @see RFC 7396 section 2
 */
export function mergePatch(target: unknown, patch: unknown): unknown {
  if (!isRecord(patch)) return patch;
  const merged: Record<string, unknown> = isRecord(target) ? { ...target } : {};
  for (const [name, value] of Object.entries(patch)) {
    if (!isSafeKey(name)) continue;
    if (value === null) delete merged[name];
    else merged[name] = mergePatch(Object.hasOwn(merged, name) ? merged[name] : undefined, value);
  }
  return merged;
}

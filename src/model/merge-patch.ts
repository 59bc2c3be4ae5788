import { isSafeKey } from '../core/registry.ts';
import { isRecord } from './json-value.ts';

/**
 * Applies a merge patch: members of objects are merged, null takes one away, anything else replaces.
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

/**
 * The first key of a JSON text, at any depth, that may not name data (`__proto__` and the like); undefined where there
 * is none, or where the text is no JSON.
 */
export function findUnsafeKey(text: string): string | undefined {
  // Most bodies have neither such a name nor an escape that could hide one.
  if (!/\\u|__proto__|constructor|prototype|toString|toHTML/.test(text)) return undefined;
  const found: string[] = [];
  try {
    JSON.parse(text, (key, value: unknown) => {
      if (!isSafeKey(key)) found.push(key);
      return value;
    });
  } catch {
    return undefined;
  }
  return found[0];
}

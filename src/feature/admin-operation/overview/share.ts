import { apartAsSystem } from '../../../core/access.ts';
import type { Context } from '../../../plan/feature.ts';

interface SharedValue<T> {
  value: Promise<T> | undefined;
  at: number;
}

/**
 * Reads something as the system; callers within this time share it. A failure is not cached.
 *
 * @param milliseconds Age at which it is read again.
 */
export function shareFor<T>(
  milliseconds: number,
  read: (context: Context) => Promise<T>,
): (context: Context) => Promise<T> {
  const create = (): SharedValue<T> => ({ value: undefined, at: 0 });
  return (context) => {
    const known = context.memory.get(create);
    const now = context.services.clock.now();
    if (known.value !== undefined && now - known.at <= milliseconds) return known.value;
    known.at = now;
    known.value = apartAsSystem(() => read(context)).catch((error: unknown) => {
      known.value = undefined;
      throw error;
    });
    return known.value;
  };
}

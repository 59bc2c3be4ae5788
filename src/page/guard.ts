import { mayOpenPath } from '../access/guard.ts';
import type { Context } from '../plan/feature.ts';

/** True if the roles of the person who asks open an admin path by that method. */
export const mayOpen = ({ plan }: Context, path: string, method?: string): boolean =>
  mayOpenPath(plan.model, path, method);

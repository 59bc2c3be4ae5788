import { mayOpenPath } from '../../access/guard.ts';
import type { Access } from '../../core/access.ts';
import type { Context } from '../../plan/feature.ts';

/** True if the roles of a person open an admin path by that method. Default: the viewer. */
export const mayOpen = ({ plan }: Context, path: string, method?: string, access?: Access): boolean =>
  mayOpenPath(plan.model, path, method, access);

import type { Contribution, Facts } from '../../plan/feature.ts';
import { routes } from './routes.ts';

/** Contributes nothing if the settings have it `off`, so that a project may have a page at that path. */
export function contributeMetrics({ model }: Facts): Contribution {
  return model.settings.server.metrics === 'off' ? {} : { routes };
}

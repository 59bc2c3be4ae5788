import type { Contribution, Facts } from '../../plan/feature.ts';
import { routes } from './routes.ts';

/** Nothing at all where the settings have it `off`: a project may then have a page of that name. */
export function contributeMetrics({ model }: Facts): Contribution {
  return model.settings.server.metrics === 'off' ? {} : { routes };
}

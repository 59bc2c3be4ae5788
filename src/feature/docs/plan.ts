import type { Contribution, Facts } from '../../plan/feature.ts';
import { routes } from './routes.ts';

/** The docs are served if the API is open: `"api": true` in the settings. */
export function contribute(facts: Facts): Contribution {
  return facts.model.settings.api ? { routes } : {};
}

import type { Plan } from '../../plan/feature.ts';

/** Input of the pages. */
export interface Source {
  readonly plan: Plan;
  /** Public URL without a trailing slash, for samples. */
  readonly baseUrl: string;
  /** Server of a page's console: for the page's own server only the path of its base URL, or empty; undefined for no console. */
  readonly server: string | undefined;
}

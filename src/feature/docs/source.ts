import type { Plan } from '../../plan/feature.ts';

/** What pages are made from. */
export interface Source {
  readonly plan: Plan;
  /** Public address without a trailing slash, in samples. */
  readonly baseUrl: string;
  /** Where a page's console sends calls: empty for the page's own server, undefined where there is no console. */
  readonly server: string | undefined;
}

import type { Row } from '../database/row-statement.ts';
import type { Context } from '../plan/feature.ts';

export interface PageContent {
  /** Translated; also the page's `h1` in the admin section, unless `heading` is false. */
  readonly title: string;
  /** Template of the body, below `templates/`, such as `admin/go/page`. */
  readonly template: string;
  /** What the templates of the page get, besides the form token, `csrf`. */
  readonly data?: Row;
}

/** @param template Its path, below `templates/`. */
export function renderTemplate({ services }: Context, template: string, data: Row): string {
  const slash = template.indexOf('/');
  return services.views.render(template.slice(0, slash), template.slice(slash + 1), data);
}

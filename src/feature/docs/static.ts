import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../../core/package-root.ts';
import type { Plan, Views } from '../../plan/feature.ts';
import { renderLayout, renderPage } from './layout.ts';
import { toFileName, toStaticLinks } from './links.ts';
import { toOpenApi } from './openapi.ts';
import { listPages } from './pages.ts';

/** The address in samples where the settings name none: no machine's own may get into a file that git keeps. */
const SAMPLE_BASE_URL = 'https://example.org';

/**
 * The docs as static files: path to text. Links are relative, so they work from a disk as well as under any address.
 * The same plan gives the same bytes.
 */
export function renderDocs(plan: Plan, views: Views): Map<string, string> {
  const baseUrl = plan.model.settings.server.baseUrl ?? SAMPLE_BASE_URL;
  const pages = listPages(plan, baseUrl);
  const files = new Map<string, string>();
  for (const page of pages) {
    const links = toStaticLinks(page.path);
    const rendered = renderPage(page, pages, views, links);
    files.set(toFileName(page.path), renderLayout(rendered, { plan, views, links }, { isStatic: true }));
  }
  files.set('openapi.json', `${JSON.stringify(toOpenApi(plan, baseUrl), null, 2)}\n`);
  files.set('styles/treadle.css', readFileSync(join(packageRoot, 'templates', 'styles', 'treadle.css'), 'utf8'));
  return files;
}

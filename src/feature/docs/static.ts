import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../../core/file/package-root.ts';
import type { Plan, Views } from '../../plan/feature.ts';
import { toHttpFile } from './collection/http-file.ts';
import { toPostman } from './collection/postman.ts';
import { makeCollection } from './collection/request.ts';
import { renderLayout, renderPage } from './layout.ts';
import { indexLinks, toFileName, toStaticLinks } from './links.ts';
import { renderLlms, renderMarkdown } from './markdown/page.ts';
import { createShelf } from './navigation.ts';
import { buildOpenApi } from './openapi/document.ts';
import { listPages } from './page/pages.ts';
import { buildSearchIndex } from './search-index.ts';

/** The URL in samples if the settings have none: the URL of one machine must not get into a committed file. */
const SAMPLE_BASE_URL = 'https://example.org';

/** Treadle's own files that the pages load: name in the docs to path in `templates/`. */
const ASSETS = [
  ['styles/treadle.css', 'styles/treadle.css'],
  ['styles/docs.css', 'styles/docs.css'],
  ['styles/theme.css', 'styles/theme.css'],
  ['scripts/docs.js', 'scripts/docs.js'],
  ['scripts/docs-console.js', 'scripts/docs-console.js'],
  ['favicon.svg', 'www/favicon.svg'],
] as const;

/**
 * The docs as static files: path to text. Links are relative, so they work from a disk and under any URL. The console
 * of a call's page uses `server.baseUrl` of the settings; without it there is no console. The same plan gives the
 * same bytes.
 */
export function renderDocs(plan: Plan, views: Views): Map<string, string> {
  const { name: siteName, server } = plan.model.settings;
  const baseUrl = server.baseUrl ?? SAMPLE_BASE_URL;
  const shelf = createShelf(listPages({ plan, baseUrl, server: server.baseUrl ?? undefined }));
  const files = new Map<string, string>();
  for (const page of shelf.pages) {
    const links = toStaticLinks(page.path);
    const rendered = renderPage(page, shelf, views, links);
    files.set(toFileName(page.path).replace(/html$/, 'md'), renderMarkdown(page, views, links));
    files.set(toFileName(page.path), renderLayout(rendered, { siteName, views, links }, { isStatic: true }));
  }
  files.set('openapi.json', `${JSON.stringify(buildOpenApi(plan, baseUrl), null, 2)}\n`);
  const collection = makeCollection(plan);
  files.set('postman.json', `${JSON.stringify(toPostman(collection, baseUrl), null, 2)}\n`);
  files.set('api.http', toHttpFile(collection, baseUrl));
  files.set('llms.txt', renderLlms(shelf.pages, siteName, toStaticLinks('')));
  files.set('search.js', buildSearchIndex(shelf.pages, indexLinks));
  for (const [file, place] of ASSETS) files.set(file, readFileSync(join(packageRoot, 'templates', place), 'utf8'));
  return files;
}

import { translate } from '../../../core/text/translate.ts';
import type { Views } from '../../../plan/feature.ts';
import type { Links } from '../links.ts';
import { type DocPage, isList, KINDS } from '../page/page.ts';
import { toMarkdown } from './markdown.ts';

/** The Markdown of a page. */
export function renderMarkdown(page: DocPage, views: Views, links: Links): string {
  const toPage = { ...links, page: links.markdown };
  return toMarkdown(views.render('docs', page.template, page.data(toPage)), { toHref: links.whole });
}

const escapeLabel = (text: string): string => text.replace(/\s+/g, ' ').replace(/[\\[\]<]/g, '\\$&');

function printEntry(page: DocPage, links: Links): string {
  const about = [page.method, page.note].filter((part) => part !== undefined).join(', ');
  return `- [${escapeLabel(page.title)}](${links.markdown(page.path)})${about === '' ? '' : `: ${about}`}`;
}

/** Pages of a list stand for it. Pages of error codes are many, and answers lead to them: their list is enough. */
const isEntry = (page: DocPage): boolean => {
  if (page.path === 'errors' || page.path.startsWith('errors/')) return isList(page);
  return page.kind === 'guide' || !isList(page);
};

/**
 * The pages of the docs as one list for programs that read text.
 *
 * @see https://llmstxt.org
 */
export function renderLlms(pages: readonly DocPage[], siteName: string, links: Links): string {
  const sections = KINDS.map(([kind, title]) => {
    const entries = pages.filter((page) => page.kind === kind && isEntry(page));
    return { title: translate(title), entries };
  }).filter(({ entries }) => entries.length > 0);
  return `${[
    `# ${escapeLabel(siteName)}`,
    `> ${translate('The API of this site: calls, the columns of their rows, scopes and web hooks.')}`,
    translate(
      'Each page is Markdown; those of calls have an example that runs. The same pages without “.md” are HTML.',
    ),
    ...sections.map(
      ({ title, entries }) => `## ${title}\n\n${entries.map((page) => printEntry(page, links)).join('\n')}`,
    ),
    `## ${translate('For tools')}\n\n- [OpenAPI 3.1](${links.whole(links.openapi)})`,
  ].join('\n\n')}\n`;
}

import { translate } from '../../core/translate.ts';
import { escapeHtml } from '../../model/format-text.ts';

/** A section of a page, for the page's contents. */
export interface Heading {
  readonly id: string;
  /** Already escaped, because it comes from a rendered template. */
  readonly label: string;
}

const HEADING = /<h2 id="([^"]+)">([\s\S]*?)<\/h2>/g;
const toLabel = (inner: string): string => inner.replace(/<[^>]*>/g, '').trim();

/** Adds a link to each section's heading, and lists the headings for the contents. */
export function anchorHeadings(html: string): { readonly html: string; readonly headings: readonly Heading[] } {
  const headings: Heading[] = [];
  const anchored = html.replace(HEADING, (_match, id: string, inner: string) => {
    const label = toLabel(inner);
    headings.push({ id, label });
    return `<div class="d-heading"><h2 id="${id}">${inner}</h2> <a class="d-anchor" href="#${id}" aria-label="${escapeHtml(translate('Link to:'))} ${label}">#</a></div>`;
  });
  return { html: anchored, headings };
}

import type { Contribution, EventContribution, Facts } from '../../plan/feature.ts';
import { renderPage } from './page.ts';
import { listRoutes } from './routes.ts';

const RESULTS = 'Nothing; the content becomes a whole page.';

function renderEvent(event: string, template: string, description: string): EventContribution {
  return { event, description, stage: {}, results: RESULTS, listen: (context) => renderPage(context, template) };
}

/** Treadle's own last listeners of the render events, and its own routes. */
export function contributeWww(facts: Facts): Contribution {
  return {
    events: [
      renderEvent(
        'www-render-page',
        'page',
        "Puts the site's page around the content; Treadle's own listener only where no other did.",
      ),
      renderEvent('www-render-blank', 'blank', 'Puts a page without navigation around the content, such as a dialog.'),
      renderEvent('admin-render-page', 'page', "Puts the admin section's page around the content."),
    ],
    routes: listRoutes(facts.isDevelopment),
  };
}

import * as z from 'zod';
import { defineEvent } from '../../plan/event/event.ts';
import type { Contribution, EventRecord, Facts } from '../../plan/feature.ts';
import { renderPage } from './page.ts';
import { listRoutes } from './routes.ts';

const RESULTS = 'Nothing; the content becomes a complete page.';

function renderEvent(name: string, template: string, description: string): EventRecord {
  return defineEvent({
    name,
    description,
    kind: 'reads',
    stage: () => z.object({}),
    results: () => z.undefined().describe(RESULTS),
    run: (_, context, exchange) => renderPage(context, template, exchange),
  });
}

/** Treadle's last listeners of the render events, and its own routes. */
export function contributeWww(facts: Facts): Contribution {
  return {
    events: [
      renderEvent(
        'www-render-page',
        'page',
        "Wraps the content in the site's layout. Treadle's own listener runs only if no other did it.",
      ),
      renderEvent(
        'www-render-blank',
        'blank',
        'Wraps the content in a layout without navigation, such as for a dialog.',
      ),
      renderEvent('admin-render-page', 'page', 'Wraps the content in the admin layout.'),
    ],
    routes: listRoutes(facts.isDevelopment),
  };
}

import { putBasePath, toBasePath } from '../../../core/text/base-path.ts';
import { translate } from '../../../core/text/translate.ts';
import { type Pair, toRoute } from '../../../page/exchange.ts';
import { showInAdmin } from '../../../page/frame.ts';
import { readText } from '../../../page/list-page.ts';
import type { Context, RouteContribution } from '../../../plan/feature.ts';
import { findPlaces } from './find.ts';

const MOST_CHARACTERS = 200;

const readWords = ({ request }: Pair): string => readText(request.getGet('q')).slice(0, MOST_CHARACTERS);

/** Finds pages, rows, definitions and people by words: the palette without a script. */
async function showGo(context: Context, pair: Pair): Promise<void> {
  const q = readWords(pair);
  const body = context.services.views.render('admin', 'go/page', { q, places: await findPlaces(context, q) });
  showInAdmin(context, pair, { title: translate('Go to'), body, current: '' });
}

/** The same places as JSON, for the palette. */
async function answerGo(context: Context, pair: Pair): Promise<void> {
  const basePath = toBasePath(context.services.baseUrl());
  const places = await findPlaces(context, readWords(pair));
  const rows = places.map((place) => ({ ...place, path: putBasePath(basePath, place.path) }));
  pair.response
    .addHeader('content-type', 'application/json; charset=utf-8')
    .addHeader('cache-control', 'no-store')
    .setContent(JSON.stringify(rows));
}

/** The palette: its page, and its results as JSON. */
export const goRoutes: readonly RouteContribution[] = [
  toRoute('GET', '/admin/go', 'Finds pages, rows, definitions and people by words.', showGo),
  toRoute('GET', '/admin/go.json', 'The same places as JSON, for the command palette.', answerGo),
];

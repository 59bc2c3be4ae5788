import { putBasePath, toBasePath } from '../../../core/text/base-path.ts';
import { translate } from '../../../core/text/translate.ts';
import { createRoute, type Exchange } from '../../../page/exchange.ts';
import { showPage } from '../../../page/frame.ts';
import { readText } from '../../../page/list-page.ts';
import type { Context, RouteContribution } from '../../../plan/feature.ts';
import { findPlaces } from './find.ts';

const MOST_CHARACTERS = 200;

const readWords = ({ request }: Exchange): string => readText(request.getGet('q')).slice(0, MOST_CHARACTERS);

/** Finds pages, rows, definitions and people by words: the palette without a script. */
async function showGo(context: Context, exchange: Exchange): Promise<void> {
  const q = readWords(exchange);
  const data = { q, places: await findPlaces(context, q) };
  showPage(context, exchange, {
    frame: 'admin',
    title: translate('Go to'),
    template: 'admin/go/page',
    data,
    current: '',
  });
}

/** The same places as JSON, for the palette. */
async function answerGo(context: Context, exchange: Exchange): Promise<void> {
  const basePath = toBasePath(context.services.baseUrl());
  const places = await findPlaces(context, readWords(exchange));
  const rows = places.map((place) => ({ ...place, path: putBasePath(basePath, place.path) }));
  exchange.response
    .addHeader('content-type', 'application/json')
    .addHeader('cache-control', 'no-store')
    .setContent(JSON.stringify(rows));
}

/** The palette: its page, and its results as JSON. */
export const goRoutes: readonly RouteContribution[] = [
  createRoute('GET', '/admin/go', 'Finds pages, rows, definitions and people by words.', showGo),
  createRoute('GET', '/admin/go.json', 'The same places as JSON, for the command palette.', answerGo),
];

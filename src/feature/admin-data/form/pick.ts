import type { Exchange } from '../../../page/exchange.ts';
import type { Context } from '../../../plan/feature.ts';
import { findChoices } from './choice.ts';
import { openForm } from './open.ts';

/** Answers the rows that match words as JSON, for the script of pickers. */
export async function answerPick(context: Context, exchange: Exchange): Promise<void> {
  const open = openForm(context, exchange, 'search');
  if (!open) return;
  const q = exchange.request.getGet('q');
  const { choices } = await findChoices(context, open.schema, typeof q === 'string' ? q : '');
  exchange.response
    .addHeader('content-type', 'application/json')
    .addHeader('cache-control', 'no-store')
    .setContent(JSON.stringify(choices));
}

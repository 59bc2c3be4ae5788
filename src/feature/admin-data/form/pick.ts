import type { Pair } from '../../../page/exchange.ts';
import type { Context } from '../../../plan/feature.ts';
import { findChoices } from './choice.ts';
import { openForm } from './open.ts';

/** Answers the rows that match words as JSON, for the script of pickers. */
export async function answerPick(context: Context, pair: Pair): Promise<void> {
  const open = openForm(context, pair, 'search');
  if (!open) return;
  const q = pair.request.getGet('q');
  const { choices } = await findChoices(context, open.schema, typeof q === 'string' ? q : '');
  pair.response
    .addHeader('content-type', 'application/json; charset=utf-8')
    .addHeader('cache-control', 'no-store')
    .setContent(JSON.stringify(choices));
}

import { translate } from '../core/text/translate.ts';
import type { Row } from '../database/row-statement.ts';
import type { Context } from '../plan/feature.ts';
import { emitEvent } from './emit-event.ts';
import { type Exchange, flash } from './exchange.ts';

interface Action {
  readonly event: string;
  readonly stage: Row;
  /** Page that follows. */
  readonly path: string;
  /** What the next page says. */
  done(results: Row): string;
}

/** Does what a form asks for and leads to a page that says what happened. */
export async function emitAndLead(
  context: Context,
  exchange: Exchange,
  { event, stage, path, done }: Action,
): Promise<void> {
  const response = await emitEvent(context, event, stage);
  if (response === undefined) flash(exchange, translate('This project has nothing of the kind.'), 'error');
  else if (response.isError()) flash(exchange, response.getMessage() ?? translate('That did not work.'), 'error');
  else flash(exchange, done((response.getResults() ?? {}) as Row));
  exchange.response.setRedirect(path);
}

/** A text of a form or a query; empty if it is missing. */
export const readText = (value: unknown): string => (typeof value === 'string' ? value.trim() : '');

/** The named texts of a query, without empty ones. Of a name that it has twice the last counts: none may widen the list unseen. */
export function readQuery(exchange: Exchange, names: readonly string[]): Record<string, string> {
  const pairs = names.map((name) => [name, readText([exchange.request.getGet(name)].flat().at(-1))] as const);
  return Object.fromEntries(pairs.filter(([, value]) => value !== ''));
}

/** Links of a list that shows the newest first. */
export function createPageLinks(
  path: string,
  filter: Readonly<Record<string, string>>,
  next: unknown,
): string | undefined {
  const { before: _before, ...rest } = filter;
  if (next === null || next === undefined) return undefined;
  return `${path}?${new URLSearchParams({ ...rest, before: String(next) })}`;
}

/** Options of a select. */
export const toChoices = (values: readonly (readonly [string, string])[], chosen: string | undefined): Row[] =>
  values.map(([value, label]) => ({ value, label: translate(label), isChosen: value === chosen }));

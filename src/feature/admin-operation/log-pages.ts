import { LOG_LEVELS, type LogLevel } from '../../core/log/log.ts';
import { findOwn } from '../../core/record.ts';
import { translate } from '../../core/text/translate.ts';
import type { Row } from '../../database/row-statement.ts';
import { createRoute, type Exchange } from '../../page/exchange.ts';
import { showPage } from '../../page/frame.ts';
import { readQuery, toChoices } from '../../page/list-page.ts';
import type { Context, RouteContribution } from '../../plan/feature.ts';
import type { ProcessLine } from '../../plan/operation.ts';

const PATH = '/admin/log';
const SHOWN = 200;

const LEVELS: readonly (readonly [string, string])[] = [
  ['debug', 'All'],
  ['info', 'Info and above'],
  ['warn', 'Warnings and errors'],
  ['error', 'Errors'],
];
const TONES: Readonly<Record<string, string>> = { error: 't-badge-danger', warn: 't-badge-warning' };

interface LogFilter {
  readonly level?: string;
  readonly q?: string;
  readonly request?: string;
}

/** A stack is read line by line; what else is structured is JSON. */
const toText = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

function toTest({ level, q, request }: LogFilter): (line: ProcessLine) => boolean {
  const least = Math.max(0, LOG_LEVELS.indexOf(level as LogLevel));
  const words = (q ?? '')
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
  return (line) => {
    if (LOG_LEVELS.indexOf(line.level) < least) return false;
    if (request !== undefined && line.fields.request !== request) return false;
    if (words.length === 0) return true;
    const text = `${line.event} ${JSON.stringify(line.fields)}`.toLowerCase();
    return words.every((word) => text.includes(word));
  };
}

function toView({ at, level, event, fields, pid }: ProcessLine): Row {
  const { request, error, ...rest } = fields;
  const { stack, message } = (error ?? {}) as { readonly stack?: unknown; readonly message?: unknown };
  const parts = Object.entries(rest).filter(([, value]) => value !== undefined);
  return {
    time: new Date(at).toISOString().replace('T', ' ').slice(0, 23),
    badge: { label: level, tone: findOwn(TONES, level) ?? '' },
    event,
    request,
    pid,
    fields: parts.map(([name, value]) => ({ name, value: toText(value) })),
    message: typeof message === 'string' ? message : undefined,
    stack: typeof stack === 'string' ? stack : error === undefined ? undefined : toText(error),
  };
}

async function showLog(context: Context, exchange: Exchange): Promise<void> {
  const filter: LogFilter = readQuery(exchange, ['level', 'q', 'request']);
  const lines = await context.services.operation.logLines();
  const found = (lines ?? []).filter(toTest(filter));
  const [first] = lines ?? [];
  showPage(context, exchange, {
    frame: 'admin',
    title: translate('Log'),
    template: 'admin/run/log',
    data: {
      filter,
      isKept: lines !== undefined,
      levels: toChoices(LEVELS, filter.level),
      lines: found.slice(-SHOWN).reverse().map(toView),
      found: found.length,
      isCut: found.length > SHOWN,
      shown: SHOWN,
      since: first && new Date(first.at).toISOString().replace('T', ' ').slice(0, 19),
      isFiltered: Object.keys(filter).length > 0,
    },
  });
}

/** The page of the log. */
export const logRoutes: readonly RouteContribution[] = [
  createRoute('GET', PATH, 'Shows the last lines of the log in the admin section.', showLog),
];

import { getAccess } from '../../../core/access.ts';
import { toStamp } from '../../../core/clock.ts';
import { toLocalText, translate } from '../../../core/text/translate.ts';
import type { Row } from '../../../database/row-statement.ts';
import { toBar, toBarChart } from '../../../page/bar-chart.ts';
import { toDurationText, toSizeText } from '../../../page/format.ts';
import { mayOpen } from '../../../page/guard.ts';
import type { Context } from '../../../plan/feature.ts';
import type { MinuteCount, Storage } from '../../../plan/operation.ts';
import { listAttention } from './attention.ts';
import type { OverviewFacts } from './facts.ts';

/** The parts of the page that are renewed while it is open, each with its template in `templates/admin/run/`. */
export const PARTS = ['attention', 'traffic', 'queue', 'storage', 'rows'] as const;
export type Part = (typeof PARTS)[number];

/** One figure with its name. */
const figure = (label: string, value: string | undefined, hint?: string): Row => ({ label, value, hint });

function viewTraffic({ traffic }: OverviewFacts, now: number, startedAt: number): Row {
  const bars = traffic.minutes.map((minute: MinuteCount) => {
    const counts = { ...minute, succeeded: minute.total - minute.refused - minute.failed };
    return toBar(toStamp(minute.at * 1000).slice(11, 16), [counts]);
  });
  const { median, slow } = traffic;
  return {
    chart: toBarChart(bars),
    median: median === undefined ? undefined : toDurationText(median),
    slow: slow === undefined ? undefined : toDurationText(slow),
    // A process that started a while ago has seen less than an hour.
    since: now - startedAt < 3_600_000 ? toStamp(startedAt) : undefined,
  };
}

function viewQueue({ hooks, jobs, mails }: OverviewFacts): Row {
  const seconds = (value = 0): string | undefined =>
    value > 0 ? translate('the oldest waits {count} s', { count: value }) : undefined;
  const later = (value = 0): string | undefined =>
    value > 0 ? translate('{count} later', { count: value }) : undefined;
  const join = (...hints: (string | undefined)[]): string => hints.filter(Boolean).join(', ');
  const count = (value = 0): string => value.toLocaleString('en-US');
  return {
    figures: [
      figure(
        translate('Web hook deliveries'),
        count((hooks.waiting ?? 0) + (hooks.under_way ?? 0)),
        join(later((hooks.depth ?? 0) - (hooks.waiting ?? 0) - (hooks.under_way ?? 0)), seconds(hooks.wait_seconds)),
      ),
      figure(
        translate('Jobs'),
        count((jobs.waiting ?? 0) + (jobs.under_way ?? 0)),
        join(later(jobs.later), seconds(jobs.wait_seconds)),
      ),
      figure(translate('Mails'), count(mails.waiting), seconds(mails.oldest_seconds)),
      figure(translate('Mails sent in 24 hours'), count(mails.sent)),
    ],
  };
}

/** When the planner's oldest statistics were made; undefined where no table has so many rows that they matter. */
function viewStatistics({ statistics: { oldest } }: OverviewFacts): Row {
  const label = translate('Planner statistics');
  if (oldest === undefined) return figure(label, undefined);
  const stamp = toStamp(oldest.at * 1000);
  const of = { time: stamp.slice(11, 16), table: oldest.table, count: oldest.rows.toLocaleString('en-US') };
  return figure(label, stamp.slice(0, 10), translate('{time} UTC, {table}: {count} rows', of));
}

function viewStorage(facts: OverviewFacts): Row {
  const { storage } = facts;
  const size = (bytes: number | undefined): string | undefined => (bytes === undefined ? undefined : toSizeText(bytes));
  const { uploadCount: count }: Storage = storage;
  return {
    figures: [
      figure(translate('Database'), size(storage.database)),
      figure(translate('Write-ahead log'), size(storage.log)),
      figure(
        translate('Uploads'),
        size(storage.uploads),
        count === undefined ? undefined : translate('{count} files', { count: count.toLocaleString('en-US') }),
      ),
      figure(translate('Backups'), size(storage.backups)),
      figure(translate('Free on the disk'), size(storage.free)),
      viewStatistics(facts),
    ].filter(({ value }) => value !== undefined),
  };
}

/** The schemas whose pages the person may open. A count tells nothing of rows that a rule hides. */
function viewRows(context: Context, { rows }: OverviewFacts): Row {
  const access = getAccess();
  const schemas = [...context.plan.model.schemas.values()].flatMap(({ name, plural }) => {
    const path = `/admin/system/model/${name}/search`;
    const grant = access.grant(name, 'search');
    if (grant === undefined || !mayOpen(context, path)) return [];
    const found = grant.rows === undefined ? rows.get(name) : undefined;
    const { count = 0, isEstimate = false } = found ?? {};
    return [{ path, plural: toLocalText(plural), count, isEstimate, isCounted: found !== undefined }];
  });
  return { schemas: schemas.sort((a, b) => a.plural.localeCompare(b.plural)) };
}

/** The page's parts as HTML, for the viewer. */
export function renderParts(context: Context, facts: OverviewFacts): Readonly<Record<Part, string>> {
  const { services } = context;
  const attention = listAttention(context, facts, (path) => mayOpen(context, path));
  const views: Readonly<Record<Part, Row>> = {
    attention: { attention },
    traffic: viewTraffic(facts, services.clock.now(), services.operation.startedAt),
    queue: viewQueue(facts),
    storage: viewStorage(facts),
    rows: viewRows(context, facts),
  };
  const render = (part: Part): [Part, string] => [part, services.views.render('admin', `run/${part}`, views[part])];
  return Object.fromEntries(PARTS.map(render)) as Record<Part, string>;
}

import { apartAsSystem } from '../../core/access.ts';
import { toStamp, waitAtMost } from '../../core/clock.ts';
import { TreadleError } from '../../core/errors.ts';
import { toLocalProblem, toLocalText, translate } from '../../core/text/translate.ts';
import type { Row } from '../../database/row-statement.ts';
import { createRoute, type Exchange, flash } from '../../page/exchange.ts';
import { showPage } from '../../page/frame.ts';
import { readText } from '../../page/list-page.ts';
import type { Context, RouteContribution } from '../../plan/feature.ts';
import type { MigrationFacts, MigrationRequest, MigrationStepFacts, Migrations } from '../../plan/operation.ts';

const PATH = '/admin/migration';
/** Entries of the journal that are shown. */
const SHOWN = 20;
/** Lines of one entry; the first migration of a project has many. */
const LINES = 12;
/** Milliseconds that a page waits for a migration; a large table may take longer. */
const WAIT_MS = 20_000;

/** Whether this process may change the database's tables: a deployment has its own way otherwise. */
const mayMigrate = ({ plan }: Context): boolean => plan.isDevelopment || plan.model.settings.admin.write;

const CLASSES: Readonly<Record<string, readonly [string, string]>> = {
  add: ['Adds', 't-badge-success'],
  change: ['Changes', 't-badge-info'],
  lose: ['Loses, with a copy kept', 't-badge-danger'],
};

function viewStep(step: MigrationStepFacts): Row {
  const [label = '', tone = ''] = CLASSES[step.class] ?? [];
  // In a template "words" is a helper.
  return {
    ...step,
    text: toLocalText(step.words),
    refusal: step.refusal === undefined ? undefined : toLocalText(step.refusal),
    sql: step.sql.map((line) => `${line};`).join('\n'),
    badge: { label: translate(label), tone },
  };
}

function viewEntry({ id, at, words, undoes }: MigrationFacts['journal'][number], undone: ReadonlySet<number>): Row {
  const lines = words.split('\n').map(toLocalText);
  const more = lines.length - LINES;
  return {
    id,
    at: toStamp(at * 1000),
    undoes,
    isUndone: undone.has(id),
    lines: more > 1 ? lines.slice(0, LINES) : lines,
    more: more > 1 ? more : undefined,
  };
}

function viewFacts(facts: MigrationFacts): Row {
  const undone = new Set(facts.journal.flatMap(({ undoes }) => undoes ?? []));
  const done = facts.steps.filter(({ refusal }) => refusal === undefined);
  const blocked = facts.steps.filter(({ refusal }) => refusal !== undefined);
  const isBlocked = blocked.some(({ isNeeded }) => isNeeded);
  const { undo } = facts;
  const asks = blocked.flatMap(({ asks: name }) => name ?? []);
  return {
    problems: facts.problems.map(toLocalProblem),
    steps: done.map(viewStep),
    held: blocked.map(viewStep),
    own: facts.own,
    drift: facts.drift,
    base: facts.base,
    asks,
    isBlocked,
    hasLoss: facts.steps.some((step) => step.class === 'lose'),
    isUpToDate: facts.problems.length === 0 && facts.steps.length + facts.own.length === 0,
    canApply: asks.length > 0 || (!isBlocked && done.length + facts.own.length > 0),
    journal: facts.journal.slice(0, SHOWN).map((entry) => viewEntry(entry, undone)),
    undo: undo && {
      ...viewEntry({ id: 0, at: undo.at, words: undo.words, undoes: undefined }, undone),
      steps: undo.steps.map(viewStep),
      base: undo.base,
      isHeld: undo.steps.some(({ refusal }) => refusal !== undefined),
    },
  };
}

async function showMigrations(context: Context, exchange: Exchange): Promise<void> {
  const allowLoss = exchange.request.getGet('loss') === '1';
  const facts = await apartAsSystem(() => context.services.operation.migrations.read({ allowLoss }));
  showPage(context, exchange, {
    frame: 'admin',
    title: translate('Migrations'),
    template: 'admin/run/migration',
    data: { ...viewFacts(facts), allowLoss, mayMigrate: mayMigrate(context) },
  });
}

function tell(exchange: Exchange, { done, refused }: Awaited<ReturnType<Migrations['apply']>>): void {
  const text = translate('Steps that were done: {count}.', { count: done.length });
  if (refused.length === 0) flash(exchange, text);
  else flash(exchange, `${text} ${translate('Not done:')} ${refused.join(' ')}`, 'warning');
}

type Way = 'apply' | 'undo';

const change =
  (way: Way) =>
  async (context: Context, exchange: Exchange): Promise<void> => {
    const { services } = context;
    const { request, response } = exchange;
    if (!mayMigrate(context)) {
      const message = translate('This server does not migrate: set "admin.write", or run "treadle migrate".');
      return response.refuse({ status: 403, code: 'NOT_ALLOWED', message });
    }
    const given = Object.entries((request.getPost('default') ?? {}) as Row);
    const defaults = new Map(given.map(([name, value]) => [name, readText(value)] as const).filter(([, text]) => text));
    const allowLoss = request.getPost('loss') === '1';
    const options: MigrationRequest = { base: readText(request.getPost('base')), allowLoss, defaults };
    const state = { isOver: false };
    const work = apartAsSystem(() => services.operation.migrations[way](options)).then(
      (result) => state.isOver || tell(exchange, result),
      (error: unknown) => {
        if (!(error instanceof TreadleError)) throw error;
        if (!state.isOver) flash(exchange, toErrorText(error), 'error');
      },
    );
    const ended = work.then(() => {
      state.isOver = true;
    });
    await waitAtMost(services.clock, ended, WAIT_MS);
    if (!state.isOver) flash(exchange, translate('The migration goes on. What was done appears below.'), 'warning');
    state.isOver = true;
    response.setRedirect(PATH);
  };

const toErrorText = ({ message, hint }: TreadleError): string =>
  [message, hint ?? ''].filter(Boolean).map(toLocalText).join(' ');

/** Pages of the database's structure. */
export const migrationRoutes: readonly RouteContribution[] = [
  createRoute('GET', PATH, 'Shows what the database lacks and what was done to it.', showMigrations),
  createRoute('POST', `${PATH}/apply`, 'Does what the database lacks, where the settings allow it.', change('apply')),
  createRoute('POST', `${PATH}/undo`, 'Takes the database one step back, where the settings allow it.', change('undo')),
];

import type { Messages, Refusal } from '../../core/request/response.ts';
import { advanceCounter } from '../../database/counter.ts';
import type { Database } from '../../database/database.ts';
import type { Row } from '../../database/row-statement.ts';
import { getWordTarget, writeWords } from '../../database/words/word-table.ts';
import type { PrepareTools } from '../../model/field/field-kind.ts';
import { type FedRow, RowFailure } from '../../plan/emit/row-feed.ts';
import {
  clearLinks,
  findMatches,
  findRows,
  insertLinks,
  insertRows,
  listPairs,
  splitTexts,
  takeIds,
  updateRows,
} from '../../store/write/bulk.ts';
import { IdSet } from '../../store/write/id-set.ts';
import { explainWrite } from './draft.ts';
import { findConstraint, outOfReach, toMissingMessage } from './errors.ts';
import { matchRows } from './import-match.ts';
import { PendingLinks, type VisibilityFilter, writeEach } from './import-pending.ts';
import { type ImportPlan, type LinkColumn, splitGroups } from './import-plan.ts';
import type { ImportRecord } from './import-record.ts';
import { type ImportRow, readRows, toChange, toSystemValues } from './import-row.ts';
import type { ImportAction, ImportTeller } from './import-tell.ts';
import { toId } from './stage.ts';

export interface ImporterOptions {
  readonly plan: ImportPlan;
  readonly database: Database;
  readonly tools: PrepareTools;
  readonly ignoresUnknown: boolean;
  readonly isOwn: boolean;
  readonly isNew: boolean;
  /** Filters ids to those within reach. Default: all are. */
  readonly reached?: (ids: readonly number[]) => Promise<ReadonlySet<number>>;
  /** Filters ids of written rows to those that may be left so. Default: all may. */
  readonly filterWritten?: (ids: readonly number[]) => Promise<ReadonlySet<number>>;
  /** Filters ids of written rows to those that may be linked. Default: all may. */
  readonly linkable?: (ids: readonly number[]) => Promise<ReadonlySet<number>>;
  /** Default: the caller sees every row. */
  readonly sees?: VisibilityFilter;
  /** Called for each row that is rejected. */
  readonly refuse: (row: FedRow, messages: Messages) => void;
  /** Records written rows while it has room: the values before, if the row was there, and those that were written. */
  readonly record?: ImportRecord;
  /** Called for each row that was written. */
  readonly wrote?: (row: FedRow, id: number, action: ImportAction) => void;
  /** Tells of each row that is written. Where a listener may refuse one, rows are written one by one. */
  readonly tell?: ImportTeller;
}

/** A row with the values to write. */
interface ReadyRow {
  readonly row: ImportRow;
  readonly id: number;
  readonly values: Row;
  /** Values before the change, if it is recorded. */
  before?: Row | undefined;
}

/**
 * Imports rows of a schema in batches, with a fixed number of statements per batch. Between batches it keeps only
 * one bit per row, and the links that wait for a later row.
 */
export class Importer {
  readonly #options: ImporterOptions;
  readonly #written = new IdSet();
  readonly #pending: PendingLinks;
  /** New rows with links to later ones: they are reported once they are complete. */
  readonly #untold: ReadyRow[] = [];
  created = 0;
  updated = 0;
  bad = 0;
  /** Numbers of texts that lost tags or attributes, by column. */
  readonly cleaned = new Map<string, number>();

  constructor(options: ImporterOptions) {
    this.#options = options;
    this.#pending = new PendingLinks(options);
  }

  /** Reads and validates rows as far as possible without the database. */
  read(given: readonly FedRow[]): Promise<ImportRow[]> {
    return readRows(given, this.#options.plan, this.#options);
  }

  /**
   * Checks rows against the data and writes the good ones. Call it inside a transaction, one batch after the
   * other.
   */
  async write(rows: readonly ImportRow[]): Promise<void> {
    const { plan, database, tools, isNew, sees } = this.#options;
    const input = { plan, database, now: tools.now, written: this.#written, isNew, ...(sees ? { sees } : {}) };
    const matched = await matchRows(rows, input);
    const good = await this.#withinReach(matched);
    for (const { given, messages } of rows) if (Object.keys(messages).length > 0) this.#refuse(given, messages);
    await this.#pending.look(good);
    await this.#insert(good.filter(({ id }) => id === undefined));
    await this.#change(good.filter(({ id }) => id !== undefined));
  }

  /** Rejects rows that would change a row outside the reach, as if that row did not exist. */
  async #withinReach(rows: readonly ImportRow[]): Promise<readonly ImportRow[]> {
    const { reached, plan } = this.#options;
    if (!reached) return rows;
    const { primary, singular } = plan.rows.schema;
    const ids = await reached(rows.flatMap(({ id }) => id ?? []));
    return rows.filter(({ id, messages }) => {
      if (id === undefined || ids.has(id)) return true;
      messages[primary] = toMissingMessage(singular, id);
      return false;
    });
  }

  /** Resolves the links that waited for later rows; a row with an unresolved link is a bad row. */
  async finish(): Promise<void> {
    const gone = new Set<number>();
    for (const { id, given, messages, isNew, isRemoved } of await this.#pending.finish()) {
      this.#refuse(given, messages);
      if (isRemoved) gone.add(id);
      if (isNew && !isRemoved) continue;
      if (isRemoved) this.created -= 1;
      else this.updated -= 1;
    }
    for (const ready of this.#untold.splice(0)) if (!gone.has(ready.id)) await this.#tellLate(ready);
  }

  /** @throws RowFailure if a refused row cannot be removed again. */
  async #tellLate({ row, id, values }: ReadyRow): Promise<void> {
    const { tell, database } = this.#options;
    try {
      await database.write(async () => tell?.tell('create', id));
    } catch (error) {
      if (!(error instanceof RowFailure) || !(await this.#pending.remove(id))) throw error;
      await this.#explain({ row, id, values }, error);
      this.created -= 1;
    }
  }

  #refuse(given: FedRow, messages: Messages): void {
    this.bad += 1;
    this.#options.refuse(given, messages);
  }

  #countCleaned(written: readonly ReadyRow[]): void {
    for (const { row } of written)
      for (const name of row.cleaned) this.cleaned.set(name, (this.cleaned.get(name) ?? 0) + 1);
  }

  async #insert(rows: readonly ImportRow[]): Promise<void> {
    if (rows.length === 0) return;
    const { plan, database } = this.#options;
    const { schema } = plan.rows;
    const given = new Set(rows.flatMap(({ stage }) => toId(stage[schema.primary]) ?? []));
    const free = await takeIds(database, schema, rows.length - given.size, given);
    let next = 0;
    const ready = rows.map((row): ReadyRow => {
      const values = this.#pending.defer(row, row.stored);
      const id = toId(row.stage[schema.primary]) ?? (free[next++] as number);
      values[schema.primary] = id;
      return { row, id, values };
    });
    const written = await this.#write(ready, 'create', (part) => this.#insertPart(part));
    if (given.size > 0) await advanceCounter(database, schema.table, schema.primary);
    this.created += written.length;
    this.#countCleaned(written);
    await this.#finish(written, 'create');
  }

  async #insertPart(part: readonly ReadyRow[]): Promise<void> {
    const { plan, database, tools } = this.#options;
    const { columns } = plan;
    const toSystem = toSystemValues(plan, tools);
    const texts = part.map(({ row, values }) => {
      const system = toSystem(row);
      return JSON.stringify(
        columns.map(({ name }) => {
          const value = values[name];
          return (value === undefined ? system[name] : value) ?? null;
        }),
      );
    });
    const { schema } = plan.rows;
    for (const some of splitTexts(texts)) await insertRows(database, schema.table, columns, some);
    await writeWords(
      database,
      getWordTarget(schema),
      part.map(({ values }) => values),
    );
  }

  /** Groups rows by the set of columns that they change: one statement per group. */
  async #change(rows: readonly ImportRow[]): Promise<void> {
    const { plan, tools } = this.#options;
    const groups = new Map<string, ReadyRow[]>();
    for (const row of rows) {
      const values = this.#pending.defer(row, toChange(row, plan, tools));
      const key = Object.keys(values).sort().join();
      const group = groups.get(key) ?? [];
      group.push({ row, id: row.id as number, values });
      groups.set(key, group);
    }
    for (const group of splitGroups(groups.values(), plan)) {
      const written = await this.#write(group, 'update', (part) => this.#changePart(part));
      this.updated += written.length;
      this.#countCleaned(written);
      await this.#finish(written, 'update');
    }
  }

  async #changePart(part: readonly ReadyRow[]): Promise<void> {
    const { plan, database } = this.#options;
    const { schema } = plan.rows;
    const columns = plan.columns.filter(
      ({ name }) => name !== schema.primary && Object.hasOwn(part[0]?.values ?? {}, name),
    );
    if (columns.length === 0) return;
    const texts = part.map(({ id, values }) =>
      JSON.stringify([id, ...columns.map(({ name }) => values[name] ?? null)]),
    );
    if (this.#options.record?.hasRoom) {
      const names = columns.map(({ name }) => name);
      const before = await findRows(
        database,
        schema,
        part.map(({ id }) => id),
        names,
      );
      for (const ready of part) ready.before = before.get(ready.id);
    }
    for (const some of splitTexts(texts)) await updateRows(database, schema, columns, some);
    const target = getWordTarget(schema);
    const searchable = target.columns.map(({ name }) => name);
    if (!columns.some(({ name }) => searchable.includes(name))) return;
    // The index holds the words of all searchable columns, so the unchanged ones are read too.
    const ids = part.map(({ id }) => id);
    await writeWords(database, target, [...(await findRows(database, schema, ids, searchable)).values()]);
  }

  /**
   * Writes a batch with its links. If the database refuses it, or a listener may refuse one of its rows, it writes row by row, to find
   * the row at fault.
   */
  async #write(
    ready: readonly ReadyRow[],
    action: ImportAction,
    write: (part: readonly ReadyRow[]) => Promise<void>,
  ): Promise<readonly ReadyRow[]> {
    const { database, tell } = this.#options;
    const isTold = tell?.hears[action] === true;
    const attempt = (part: readonly ReadyRow[]): Promise<void> =>
      database.write(async () => {
        const originals = isTold && action === 'update' ? await Promise.all(part.map(({ id }) => tell.read(id))) : [];
        await write(part);
        await this.#link(part);
        await this.#checkWritten(part);
        for (const [index, item] of isTold ? part.entries() : [])
          if (!this.#isUntold(item, action)) await tell?.tell(action, item.id, originals[index]);
      });
    const add = (item: ReadyRow): void => {
      if (isTold && this.#isUntold(item, action)) this.#untold.push(item);
    };
    try {
      if (!isTold || !tell.mayRefuse[action]) {
        await attempt(ready);
        ready.forEach(add);
        return ready;
      }
    } catch (error) {
      if (!findConstraint(error) && !(error instanceof RowFailure)) throw error;
    }
    const written: ReadyRow[] = [];
    await writeEach(
      ready,
      async (item) => {
        await attempt([item]);
        written.push(item);
        add(item);
      },
      (item, error) => this.#explain(item, error),
    );
    return written;
  }

  #isUntold({ row }: ReadyRow, action: ImportAction): boolean {
    return action === 'create' && this.#pending.isDeferring(row);
  }

  /** @throws RowFailure (403) if a row would leave the reach or be created outside it. */
  async #checkWritten(part: readonly ReadyRow[]): Promise<void> {
    const { filterWritten, linkable, plan } = this.#options;
    const check = async (ids: readonly number[], allowed: ImporterOptions['filterWritten']): Promise<void> => {
      if (!allowed || ids.length === 0) return;
      const found = await allowed(ids);
      if (ids.some((id) => !found.has(id))) throw new RowFailure(outOfReach(plan.rows.schema.singular));
    };
    const linked = part.filter(({ row }) => row.links.size > 0);
    await check(
      part.map(({ id }) => id),
      filterWritten,
    );
    await check(
      linked.map(({ id }) => id),
      linkable,
    );
  }

  async #explain({ row, id, values }: ReadyRow, error: unknown): Promise<void> {
    const { plan, database } = this.#options;
    const failure: Refusal | undefined = await explainWrite(error, { plan: plan.rows, row: values, id, database });
    if (!failure) throw error;
    this.#refuse(row.given, { ...(failure.validation ?? { row: failure.message }) });
  }

  async #link(part: readonly ReadyRow[]): Promise<void> {
    const { plan, database } = this.#options;
    for (const link of plan.links) {
      const having = part.filter(({ row }) => row.links.has(link));
      const changed = having.filter(({ row }) => row.id !== undefined);
      const ids = changed.map(({ id }) => id);
      await clearLinks(database, link.relation, ids, await this.#listHidden(link, ids));
      // `PendingLinks` stores links within one table.
      if (link.target === plan.rows.schema) continue;
      const pairs = having.flatMap(({ row, id }) => (row.links.get(link) ?? []).map((other) => [id, other] as const));
      await insertLinks(database, link.relation, pairs);
    }
  }

  /** Linked rows that are removed, or that the caller does not see: a sent list says nothing of them. */
  async #listHidden({ relation, target }: LinkColumn, ids: readonly number[]): Promise<readonly number[]> {
    const { sees, database } = this.#options;
    if ((!sees && target.active === undefined) || ids.length === 0) return [];
    const linked = [...new Set((await listPairs(database, relation, ids)).map(([, id]) => id))];
    const seen = sees ? await sees(target.name, linked) : new Set(linked);
    const stored = await findMatches(database, target, { name: target.primary, type: 'bigint' }, linked);
    return linked.filter((id) => !seen.has(id) || stored.get(id)?.isActive === false);
  }

  async #finish(written: readonly ReadyRow[], action: ImportAction): Promise<void> {
    for (const { row, id, values, before } of written) {
      this.#written.add(id);
      this.#options.record?.add(action, id, before, values);
      this.#options.wrote?.(row.given, id, action);
    }
    await this.#pending.settle(written);
  }
}

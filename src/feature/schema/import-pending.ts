import type { Messages } from '../../core/request/response.ts';
import type { Database } from '../../database/database.ts';
import type { Row } from '../../database/row-statement.ts';
import type { FedRow } from '../../plan/emit/row-feed.ts';
import { findMatches, insertLinks, removeRows, updateRows } from '../../store/write/bulk.ts';
import { explainTogether, findConstraint, toMissingMessage } from './errors.ts';
import type { ImportPlan, LinkColumn } from './import-plan.ts';
import type { ImportRow } from './import-row.ts';

/** Filters ids of rows to those that the caller sees through a relation. */
export type VisibilityFilter = (schema: string, ids: readonly number[]) => Promise<ReadonlySet<number>>;

interface PendingOptions {
  readonly plan: ImportPlan;
  readonly database: Database;
  readonly sees?: VisibilityFilter;
}

/**
 * Writes rows one by one. A row of a tree that would be below itself is tried again for as long as others find their places: it
 * may have its own once another has moved.
 */
export async function writeEach<T>(
  items: readonly T[],
  write: (item: T) => Promise<void>,
  refuse: (item: T, error: unknown) => Promise<void>,
): Promise<void> {
  for (let [left, isLast] = [items, false]; left.length > 0; ) {
    const waiting: T[] = [];
    for (const item of left) {
      try {
        await write(item);
      } catch (error) {
        if (!isLast && findConstraint(error)?.kind === 'tree') waiting.push(item);
        else await refuse(item, error);
      }
    }
    isLast = waiting.length === left.length;
    left = waiting;
  }
}

/** A link that waits for its target row. */
interface PendingLink {
  readonly given: FedRow;
  readonly id: number;
  readonly isNew: boolean;
  /** Column of the foreign key, or the relation for a list of ids. */
  readonly by: string | LinkColumn;
}

/** A row with a link to a target that never came. */
export interface DanglingRow {
  readonly id: number;
  readonly given: FedRow;
  /** True if the import created it. */
  readonly isNew: boolean;
  readonly messages: Messages;
  /** True if the row was deleted again. */
  readonly isRemoved: boolean;
}

function append<K, V>(lists: Map<K, V[]>, key: K, value: V): void {
  const known = lists.get(key);
  if (known) known.push(value);
  else lists.set(key, [value]);
}

/**
 * Links between rows of one table. A row may name one that comes later in the file, so the link is stored once
 * both rows exist: usually at the end of the batch.
 */
export class PendingLinks {
  readonly #plan: ImportPlan;
  readonly #database: Database;
  readonly #lists: readonly LinkColumn[];
  /** By the id of the missing target. */
  readonly #waiting = new Map<number, PendingLink[]>();
  #known: ReadonlySet<number> = new Set();
  readonly #sees: VisibilityFilter | undefined;
  /** Rows whose late key another row refuses. */
  readonly #refused: Pick<DanglingRow, 'id' | 'given' | 'isNew' | 'messages'>[] = [];
  #deferred = new Map<ImportRow, { readonly column: string; readonly target: number }[]>();

  constructor({ plan, database, sees }: PendingOptions) {
    this.#sees = sees;
    this.#plan = plan;
    this.#database = database;
    this.#lists = plan.links.filter(({ target }) => target === plan.rows.schema);
  }

  get #isIdle(): boolean {
    return this.#plan.own.size === 0 && this.#lists.length === 0;
  }

  /** Finds out which targets of a batch's links already exist. */
  async look(rows: readonly ImportRow[]): Promise<void> {
    if (this.#isIdle) return;
    const { schema } = this.#plan.rows;
    const ids = new Set<unknown>();
    for (const { stored, links } of rows) {
      for (const column of this.#plan.own.keys()) if (typeof stored[column] === 'number') ids.add(stored[column]);
      for (const list of this.#lists) for (const id of links.get(list) ?? []) ids.add(id);
    }
    const found = await findMatches(this.#database, schema, { name: schema.primary, type: 'bigint' }, [...ids]);
    const known = [...found.values()].map(({ id }) => id);
    this.#known = this.#sees ? await this.#sees(schema.name, known) : new Set(known);
    this.#deferred = new Map();
  }

  /** Removes keys from a row's values if their target does not exist yet. */
  defer(row: ImportRow, values: Row): Row {
    for (const column of this.#plan.own.keys()) {
      const target = values[column];
      if (typeof target !== 'number' || this.#known.has(target)) continue;
      delete values[column];
      const held = this.#deferred.get(row) ?? [];
      held.push({ column, target });
      this.#deferred.set(row, held);
    }
    return values;
  }

  /** True if a row lacks a key to a later row. */
  isDeferring(row: ImportRow): boolean {
    return this.#deferred.has(row);
  }

  /** Stores the links of written rows, and the links that waited for these rows. */
  async settle(written: readonly { readonly row: ImportRow; readonly id: number }[]): Promise<void> {
    if (this.#isIdle) return;
    const keys = new Map<string, (readonly [PendingLink, number])[]>();
    const pairs = new Map<LinkColumn, [number, number][]>();
    const link = (pending: PendingLink, target: number): void => {
      const { id, by } = pending;
      if (typeof by === 'string') append(keys, by, [pending, target]);
      else append(pairs, by, [id, target]);
    };
    for (const { row, id } of written) {
      const base = { given: row.given, id, isNew: row.id === undefined };
      for (const { column, target } of this.#deferred.get(row) ?? []) this.#wait({ ...base, by: column }, target);
      for (const list of this.#lists) {
        for (const target of row.links.get(list) ?? []) {
          if (this.#known.has(target)) link({ ...base, by: list }, target);
          else this.#wait({ ...base, by: list }, target);
        }
      }
    }
    for (const { id } of written) {
      for (const waiting of this.#waiting.get(id) ?? []) link(waiting, id);
      this.#waiting.delete(id);
    }
    for (const [name, rows] of keys) await this.#setKeys(name, rows);
    for (const [{ relation }, list] of pairs) await insertLinks(this.#database, relation, list);
  }

  /** Sets keys; if other rows have the values together, one by one, to find the rows at fault. */
  async #setKeys(name: string, rows: readonly (readonly [PendingLink, number])[]): Promise<void> {
    const { schema } = this.#plan.rows;
    const texts = rows.map(([{ id }, target]) => `[${id},${target}]`);
    const set = (): Promise<void> => updateRows(this.#database, schema, [{ name, type: 'bigint' }], texts);
    if (schema.unique.length + schema.exclude.length === 0) return set();
    try {
      await this.#database.write(set);
    } catch (error) {
      const broken = findConstraint(error);
      const failure = broken && explainTogether(schema, broken);
      if (failure === undefined) throw error;
      const [first, ...more] = rows;
      if (more.length > 0) for (const row of rows) await this.#setKeys(name, [row]);
      else if (first)
        this.#refused.push({ ...first[0], messages: { ...(failure.validation ?? { row: failure.message }) } });
    }
  }

  #wait(waiting: PendingLink, target: number): void {
    append(this.#waiting, target, waiting);
  }

  /**
   * At the end of the file: reports rows with links to missing rows, or with a link that another row refuses, and deletes those that
   * the import created.
   */
  async finish(): Promise<DanglingRow[]> {
    const rows = new Map<number, { given: FedRow; isNew: boolean; messages: Messages }>();
    for (const { id, ...row } of this.#refused) rows.set(id, row);
    for (const [target, list] of this.#waiting) {
      for (const { id, given, isNew, by } of list) {
        const row = rows.get(id) ?? { given, isNew, messages: {} };
        const name = typeof by === 'string' ? by : by.key;
        const label = typeof by === 'string' ? this.#plan.own.get(by)?.label : undefined;
        row.messages[name] = toMissingMessage(label ?? this.#plan.rows.schema.singular, target);
        rows.set(id, row);
      }
    }
    const dangling: DanglingRow[] = [];
    for (const [id, { given, isNew, messages }] of rows) {
      dangling.push({ id, given, messages, isNew, isRemoved: isNew && (await this.remove(id)) });
    }
    return dangling;
  }

  /** Removes a row that the import created. False if other rows already refer to it: then it stays, without the link. */
  async remove(id: number): Promise<boolean> {
    try {
      await this.#database.write(() => removeRows(this.#database, this.#plan.rows.schema, [id]));
      return true;
    } catch (error) {
      if (findConstraint(error)?.kind !== 'foreign') throw error;
      return false;
    }
  }
}

import { type Clock, toSeconds } from '../../core/clock.ts';
import { memoize } from '../../core/memoize.ts';
import type { Dialect } from '../../database/database.ts';
import type { Companion, Row } from '../../database/row-statement.ts';
import type { SchemaModel } from '../../model/model.ts';
import type { Context } from '../../plan/feature.ts';
import type { Change, ChangeRecorder } from '../../plan/recorder.ts';
import { readActor } from './actor.ts';
import {
  type Changes,
  ENTRY_TEXTS,
  insertWith,
  type NewEntry,
  type Pair,
  toEntryItem,
  toItemValues,
  toParameters,
} from './sql.ts';

type ToValues = (entry: NewEntry) => readonly unknown[];
const TO_VALUES: Readonly<Record<Dialect, ToValues>> = { sqlite: toItemValues, postgres: toParameters };

/** Characters of a text from which on the value after a change is not kept: the row has it, or the next entry. */
const LONG = 200;

interface RecordedColumns {
  readonly names: readonly string[];
  readonly isRecorded: ReadonlySet<string>;
  readonly secrets: ReadonlySet<string>;
}

const TIMES: ReadonlySet<string> = new Set(['created', 'updated']);

/** The columns that entries hold: not the key, not the times that Treadle sets, not what is computed, and no secret's value. */
const findRecorded = memoize((schema: SchemaModel): RecordedColumns => {
  const secrets = new Set(schema.row.secrets.map(({ name }) => name));
  const times = schema.columns.filter(({ field }) => TIMES.has(field.type)).map(({ name }) => name);
  const computed = schema.columns.filter((column) => column.computed !== undefined).map(({ name }) => name);
  const left = new Set([schema.primary, ...times, ...computed]);
  const names = schema.row.stored.filter((name) => !left.has(name));
  return { names, isRecorded: new Set(names), secrets };
});

const isSame = (one: unknown, other: unknown): boolean =>
  one === other ||
  (one ?? null) === (other ?? null) ||
  (typeof one === 'object' && typeof other === 'object' && JSON.stringify(one) === JSON.stringify(other));

const isLong = (value: unknown): boolean => typeof value === 'string' && value.length > LONG;

/** What a write changed in the columns that it wrote; undefined if nothing. */
function toChanges(schema: SchemaModel, { before, after, columns }: Omit<Change, 'id'>): Changes | undefined {
  const { names, isRecorded, secrets } = findRecorded(schema);
  const changes: Record<string, Pair> = {};
  let isEmpty = true;
  for (const name of columns ?? names) {
    if (!isRecorded.has(name)) continue;
    const [was, is] = [before?.[name], after?.[name]];
    if (secrets.has(name)) {
      if (columns === undefined) continue;
      changes[name] = [];
    } else if (isSame(was, is)) continue;
    else changes[name] = isLong(is) ? [was ?? null] : [was ?? null, is ?? null];
    isEmpty = false;
  }
  return isEmpty ? undefined : changes;
}

/** The content of an entry about a change; undefined if nothing changed that is recorded. */
function toEntry(change: Omit<Change, 'id'>, clock: Clock): NewEntry | undefined {
  const { action, schema, details } = change;
  const hasValues = change.before !== undefined || change.after !== undefined;
  const changes = hasValues ? toChanges(schema, change) : undefined;
  if (changes === undefined && action === 'update') return undefined;
  const { authId, origin } = readActor();
  const { door, source, app, address, request } = origin;
  const entry = { action, door, source, app, address, request, changes, details };
  return { subject: schema.name, authId, createdAt: toSeconds(clock.now()), entry };
}

/** Records the row of a single statement. A class, because every write makes one: closures cost more. */
class EntryCompanion implements Companion {
  readonly name = 'history';
  readonly isLast = true;
  readonly primary: string;
  readonly text: string;
  readonly toSql = insertWith;
  readonly #change: Omit<Change, 'id' | 'after'>;
  readonly #clock: Clock;
  readonly #toValues: ToValues;

  constructor(change: Omit<Change, 'id' | 'after'>, dialect: Dialect, clock: Clock) {
    this.primary = change.schema.primary;
    this.text = ENTRY_TEXTS[dialect];
    this.#change = change;
    this.#clock = clock;
    this.#toValues = TO_VALUES[dialect];
  }

  toValues(row: Row): readonly unknown[] | undefined {
    // Named one by one: a spread took a third of what a record of a small row costs.
    const { action, schema, before, columns } = this.#change;
    const made =
      action === 'remove'
        ? toEntry({ action, schema, before: row }, this.#clock)
        : toEntry({ action, schema, before, columns, after: row }, this.#clock);
    return made && this.#toValues(made);
  }
}

/** Creates what records the changes of rows; undefined if the settings turn history off. */
export function createRecorder({ plan, services }: Context): ChangeRecorder | undefined {
  if (plan.model.settings.history.days === 0) return undefined;
  const { database, clock } = services;
  const { dialect } = database;
  return {
    records: ({ definition }) => definition.history !== false,
    record(change) {
      const made = toEntry(change, clock);
      return made && toEntryItem(dialect, made, change.id);
    },
    toCompanion: (change) => new EntryCompanion(change, dialect, clock),
  };
}

import { type Clock, fromStamp, toStamp } from '../../core/clock.ts';
import { TreadleError } from '../../core/errors.ts';
import type { Messages } from '../../core/request/response.ts';
import { fromUnits, toUnits } from '../../model/decimal/decimal.ts';
import { fieldKinds } from '../../model/field/field-kind.ts';
import { readDecimalShape, toCanonicalDecimal } from '../../model/field/field-kind-decimal.ts';
import { compileValidator } from '../../model/field/validate.ts';
import { listLinkKeys } from '../../model/link-keys.ts';
import type { ColumnModel, ForeignKey, Model, SchemaModel } from '../../model/model.ts';
import { isSystemSet } from '../../model/server-set.ts';
import type { Field } from '../../model/shape.ts';
import { type Limits, readLimits } from './limits.ts';
import { type Chance, createChance } from './random.ts';
import { DAY, makeValue } from './value.ts';

type Row = Record<string, unknown>;

const HOUR = 3_600_000;
/** Number of times that a rejected value is generated again. */
const ATTEMPTS = 50;

/** The foreign keys of a schema, those of its parents first. */
export function listFakeKeys({ row: { keys } }: SchemaModel): ForeignKey[] {
  return [...keys.filter(({ origin }) => origin === 'parent'), ...keys.filter(({ origin }) => origin === 'own')];
}

export interface FakeOptions {
  readonly model: Model;
  readonly schema: SchemaModel;
  readonly seed: string;
  /** Midnight of the day that times are near, in milliseconds since 1970. */
  readonly base: number;
  /** Current time, for rules about the present. */
  readonly now: number;
  /** Ids of rows by schema, to choose keys from. */
  readonly ids: ReadonlyMap<string, readonly number[]>;
  /** Stored for every password: the hash of a random one. */
  readonly passwordHash: string | undefined;
}

/** Rules that compare with another column, such as an end after its start. */
const COMPARING = /^column_(lt|lte|gt|gte)$/;

/** Generates the rows of a schema: the same number gives the same row, independent of other rows. */
export class FakeRows {
  readonly #options: FakeOptions;
  readonly #columns: readonly ColumnModel[];
  readonly #limits = new Map<Field, Limits>();
  readonly #validate: (row: Row, mode: 'create') => Messages;
  readonly #keys: readonly ForeignKey[];
  /** Columns with the start of a period that may not overlap another. */
  readonly #starts: ReadonlySet<string>;

  constructor(options: FakeOptions) {
    this.#options = options;
    const { schema, now } = options;
    const clock: Clock = { now: () => now, after: () => () => undefined };
    this.#validate = compileValidator(schema, clock);
    this.#columns = schema.columns;
    this.#keys = listFakeKeys(schema);
    this.#starts = new Set(schema.exclude.map(({ range: [from] }) => from));
  }

  /** @throws FAKE_IMPOSSIBLE if no value fits the rules of a required field. */
  make(ordinal: number): Row {
    const { schema, seed } = this.#options;
    const chance = createChance(`${seed}|${schema.name}|${ordinal}`);
    const row: Row = {};
    for (const column of this.#columns) this.#fill(row, column, ordinal, chance);
    for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
      this.#compare(row, chance);
      this.#endPeriods(row);
      const faulty = this.#findFaulty(row);
      if (faulty.length === 0) break;
      for (const column of faulty) this.#fill(row, column, ordinal, chance);
    }
    this.#settle(row);
    this.#fillSystem(row, chance);
    this.#fillKeys(row, chance);
    return row;
  }

  #findFaulty(row: Row): readonly ColumnModel[] {
    const messages = this.#validate(row, 'create');
    return this.#columns.filter(({ name }) => messages[name] !== undefined);
  }

  /** Removes invalid values; an invalid required value is an error. */
  #settle(row: Row): void {
    const messages = this.#validate(row, 'create');
    for (const column of this.#columns) {
      const message = messages[column.name];
      if (message === undefined) continue;
      if (!column.isRequired) delete row[column.name];
      else throw createImpossible(column, typeof message === 'string' ? message : JSON.stringify(message));
    }
    const left = Object.values(this.#validate(row, 'create'))[0];
    const [column] = this.#findFaulty(row);
    if (left !== undefined && column) throw createImpossible(column, String(left));
  }

  #fill(row: Row, column: ColumnModel, ordinal: number, chance: Chance): void {
    if (isSystemSet(column)) return;
    const { name, field, isRequired } = column;
    // Periods with starts of their own that are short do not overlap.
    const isUnique = column.isUnique || this.#starts.has(name);
    const kind = fieldKinds[field.type];
    if (kind.isSecret) {
      if (this.#options.passwordHash !== undefined) row[name] = this.#options.passwordHash;
      return;
    }
    const value = this.#makeValue(field, { ordinal, chance, isUnique });
    // Leaves some values out, because real data has gaps.
    if (value !== undefined && (isRequired || isUnique || chance.happens(0.95))) row[name] = value;
    else delete row[name];
  }

  #makeValue(field: Field, more: { ordinal: number; chance: Chance; isUnique: boolean }): unknown {
    const { base, model, now } = this.#options;
    const today = now - (now % DAY);
    const limits = this.#limits.get(field) ?? readLimits(field);
    this.#limits.set(field, limits);
    const make = (inner: Field): unknown => this.#makeValue(inner, { ...more, isUnique: false });
    return makeValue({ field, limits, base, today, fieldsets: model.fieldsets, make, ...more });
  }

  /** Moves a value to the side of the other column's value that its rule requires. */
  #compare(row: Row, chance: Chance): void {
    const { schema } = this.#options;
    for (const { name, field } of this.#columns) {
      for (const { method, parameters } of field.validation ?? []) {
        const [, side] = COMPARING.exec(method) ?? [];
        const other = row[schema.byName.get(String(parameters))?.name ?? ''];
        if (side === undefined || other === undefined || row[name] === undefined) continue;
        const sign = side.startsWith('g') ? 1 : -1;
        if (field.type === 'decimal' && typeof other === 'string')
          row[name] = toCanonicalDecimal(field, String(Number(other) + sign * chance.whole(1, 10)));
        else if (typeof other === 'number') row[name] = other + sign * chance.whole(1, 10);
        else if (typeof other === 'string') row[name] = shift(other, sign * chance.whole(1, 10)) ?? row[name];
      }
    }
  }

  /** Ends each period soon after its start, before that of another row begins. */
  #endPeriods(row: Row): void {
    const { schema } = this.#options;
    for (const { range } of schema.exclude) {
      const [from, until] = range;
      const start = row[from];
      const field = schema.byName.get(until)?.field;
      const { type, attributes } = field ?? {};
      if (typeof start === 'number') {
        const step = Number(attributes?.step ?? (type === 'float' || type === 'price' ? 0.01 : 1));
        row[until] = Number((start + (Number.isFinite(step) ? step : 0.01)).toFixed(10));
      } else if (field?.type === 'decimal') {
        const { scale } = readDecimalShape(field);
        row[until] = fromUnits((toUnits(String(start), scale) ?? 0) + 1, scale);
      } else if (type === 'date') row[until] = shift(String(start), 1);
      else if (type === 'datetime') row[until] = toStamp(fromStamp(String(start)) + HOUR);
      // An empty period: days of one week or month would share it.
      else row[until] = start;
    }
  }

  /** Fills the columns that Treadle sets, as in rows created during the past year. */
  #fillSystem(row: Row, chance: Chance): void {
    const { schema, base } = this.#options;
    const created = base - chance.whole(0, 365 * 24 * 60) * 60_000;
    const updated = Math.min(base, created + chance.whole(0, 30 * 24 * 60) * 60_000);
    for (const { name, field } of this.#columns) {
      if (field.type === 'created') row[name] = toStamp(created);
      else if (field.type === 'updated') row[name] = toStamp(updated);
      else if (field.type === 'uuid' || field.type === 'ipaddress') {
        row[name] = this.#makeValue(field, { ordinal: 0, chance, isUnique: false });
      }
    }
    if (schema.active !== undefined) row[schema.active] = 1;
  }

  #fillKeys(row: Row, chance: Chance): void {
    const { schema, ids } = this.#options;
    for (const { column, target, isNullable } of this.#keys) {
      const known = ids.get(target) ?? [];
      if (known.length > 0 && (!isNullable || chance.happens(0.8))) row[column] = chance.pick(known);
    }
    for (const relation of schema.relations) {
      const [key] = listLinkKeys(schema, relation);
      const known = ids.get(relation.target) ?? [];
      if (relation.kind !== 'N:N' || key === undefined || known.length === 0) continue;
      const count = chance.whole(0, Math.min(3, known.length));
      row[key] = [...new Set(Array.from({ length: count }, () => chance.pick(known)))];
    }
  }
}

/** A stored day, moment or time of day, shifted by some days (a time by minutes); undefined for other text. */
function shift(text: string, by: number): string | undefined {
  if (/^\d{2}:\d{2}:\d{2}$/.test(text)) {
    const at = fromStamp(`2000-01-01 ${text}`) + by * 60_000;
    const stamp = toStamp(at);
    return stamp.startsWith('2000-01-01') ? stamp.slice(11) : undefined;
  }
  const at = fromStamp(text.length === 10 ? `${text} 00:00:00` : text);
  return Number.isNaN(at) ? undefined : toStamp(at + by * DAY).slice(0, text.length);
}

function createImpossible({ name, field }: ColumnModel, message: string): TreadleError {
  return new TreadleError('FAKE_IMPOSSIBLE', `No value was found for "${name}" that fits its rules: ${message}.`, {
    status: 422,
    hint: `The rules of the field "${field.name}" are beyond "treadle fake"; import rows of your own instead.`,
  });
}

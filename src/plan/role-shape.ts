import type { SchemaModel } from '../model/model.ts';
import type { RuleFilter } from './rule-filter.ts';

/** What one role may do with a schema by one action. */
export interface Rule {
  readonly role: string;
  readonly index: number;
  /** Absent: every row. */
  readonly filter?: RuleFilter;
  readonly check?: RuleFilter;
  readonly read?: ReadonlySet<string>;
  /** Private columns that it shows only of the rows that belong to the person who asks. */
  readonly own?: ReadonlySet<string>;
  readonly write?: ReadonlySet<string>;
}

/**
 * Whose rows private columns are asked of. `own`: the access is held to the rows of the person who asks. `some`: rows of that
 * person are among them. `none`: none can be.
 */
export type Owned = 'own' | 'some' | 'none';

type Columns = ReadonlySet<string> | undefined;

/** A rule that shows a column; with `isOwn` only in the rows that belong to the person who asks. */
interface Showing {
  readonly rule: Rule;
  readonly isOwn: boolean;
}

/** The columns of several rules together. */
export interface Shape {
  readonly read: Columns;
  readonly sure: Columns;
  readonly write: Columns;
  /** Columns that some rows show, with the rules that show them. */
  readonly masked: readonly (readonly [string, readonly Showing[]])[];
}

const union = (sets: readonly Columns[]): Columns =>
  sets.some((set) => set === undefined) ? undefined : new Set(sets.flatMap((set) => [...(set ?? [])]));

const has = (set: Columns, name: string): boolean => set === undefined || set.has(name);

/** Undefined where nothing is missing. */
const toPart = (columns: Columns, stored: readonly string[]): Columns =>
  stored.every((name) => has(columns, name)) ? undefined : columns;

export function toShape(rules: readonly Rule[], { row }: SchemaModel, owned: Owned): Shape {
  const toRead = ({ read, own }: Rule): Columns =>
    owned === 'own' && own !== undefined ? toPart(union([read, own]), row.stored) : read;
  const toOwn = ({ own }: Rule): Columns => (owned === 'some' ? (own ?? new Set()) : new Set());
  const read = toPart(union([...rules.map(toRead), ...rules.map(toOwn)]), row.stored);
  const write = union(rules.map((rule) => rule.write));
  // A row matches every rule without a filter, and at least one rule.
  const whole = rules.filter(({ filter }) => filter === undefined);
  const always = whole.length === 0 ? new Set<string>() : union(whole.map(toRead));
  const names = row.stored.filter((name) => has(read, name));
  // Ids may always be read.
  const ids = new Set([row.primary, ...row.keys.map(({ column }) => column)]);
  const isSure = (name: string): boolean =>
    ids.has(name) || has(always, name) || rules.every((rule) => has(toRead(rule), name));
  const unsure = names.filter((name) => !isSure(name));
  const listShowing = (name: string): Showing[] =>
    rules.flatMap((rule): Showing[] => {
      if (has(toRead(rule), name)) return [{ rule, isOwn: false }];
      return has(toOwn(rule), name) ? [{ rule, isOwn: true }] : [];
    });
  return {
    read,
    sure: unsure.length === 0 ? read : new Set(names.filter(isSure)),
    write,
    masked: unsure.map((name) => [name, listShowing(name)] as const),
  };
}

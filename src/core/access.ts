import { readScope, scopeStore } from './scope-store.ts';

/** What may be done with the rows of a schema. An export is a `search`, an unlink is a `link`. */
export const ACTIONS = ['search', 'detail', 'create', 'update', 'remove', 'restore', 'import', 'link'] as const;
export type Action = (typeof ACTIONS)[number];

/** Column names and the values that they are compared with, in the grammar of `filter` in a search. */
export type RowFilter = Readonly<Record<string, unknown>>;

/** Filters with values of the caller. A value that its column cannot have is not an error of the rule: it matches no row. */
const filled = new WeakSet<RowFilter>();

export function markFilled(filter: RowFilter): RowFilter {
  filled.add(filter);
  return filter;
}

export const isFilled = (filter: RowFilter): boolean => filled.has(filter);

/** The rows that an access reaches: every part that is set must hold. `store/read/parse/predicate.ts` compiles it to SQL. */
export interface RowPredicate {
  /** Id of the profile that must own the row. A schema without an owner then has no row that matches. */
  readonly owner?: number;
  /** The row must match one of these filters. An empty list matches no row. */
  readonly anyOf?: readonly RowFilter[] | undefined;
  /** Columns that a row only shows if it matches all filters of one of the column's lists; they are absent in others. */
  readonly masks?: ReadonlyMap<string, readonly (readonly RowFilter[])[]>;
}

/** Whether a predicate keeps rows away, and not only columns of them. */
export const hidesRows = (rows: RowPredicate | undefined): boolean =>
  rows?.owner !== undefined || rows?.anyOf !== undefined;

/** One of several rules. A write needs one rule that allows all of it. */
export interface WriteRule {
  /** The row before the write; absent: any. */
  readonly filter?: RowFilter;
  /** The row after the write; absent: as `filter` says. */
  readonly check?: RowFilter;
  /** Columns, and keys of linked rows; absent: all. */
  readonly write?: ReadonlySet<string>;
}

/** What an access may do with a schema by one action. */
export interface Grant {
  /** Absent: every row. */
  readonly rows?: RowPredicate;
  /** Names of the columns that may be read; absent: all. Primary and foreign keys may always be read. */
  readonly read?: ReadonlySet<string>;
  /** The columns of `read` that every row shows. Requests may filter, sort and group by these only. Absent: as `read`. */
  readonly sure?: ReadonlySet<string>;
  /** The single rules, if they differ in rows and writable columns. */
  readonly rules?: readonly WriteRule[];
  /** Names of the columns, and of the keys of linked rows, that a request may write; absent: all. Does not limit what code sets. */
  readonly write?: ReadonlySet<string>;
}

/** The caller, and what they may reach. Made once at the door, frozen, and inherited by every emit that follows. */
export interface Access {
  readonly kind: 'system' | 'page' | 'public' | 'app' | 'user' | 'none';
  /** `auth_id` and `profile_id` of the person who is logged in, or who granted the token. */
  readonly authId?: number;
  readonly profileId?: number;
  /** Slugs of the person's roles. */
  readonly roles: readonly string[];
  /** Slugs of the person's roles that open nothing before the account has a second factor. Absent: none. */
  readonly waiting?: readonly string[];
  /** The calling app. */
  readonly appId?: number;
  readonly clientId?: string;
  /** Slugs of the scopes that the app or the token holds. */
  readonly scopes: readonly string[];
  /** What it may do with a schema; undefined where the action is refused. */
  grant(schema: string, action: Action): Grant | undefined;
  /** Which rows of a schema it sees through a relation from another schema's row; undefined: none. Absent: it sees all. */
  readonly related?: ((schema: string) => Grant | undefined) | undefined;
  /** The person's values that rules use, as a text; part of the keys of cached answers. */
  readonly view?: string;
  /** True if a rule uses the time: its rows change without a write, so no answer is cached. */
  readonly isTimed?: boolean;
}

/** The members that {@link toAccessKey} puts into a key. */
type KeyMember = 'kind' | 'authId' | 'profileId' | 'roles' | 'appId' | 'scopes' | 'view';
/**
 * The members that follow from those: the app's client id from its number, the waiting roles from the account, what may be
 * reached from roles and view. What is timed is never cached.
 */
type DerivedMember = 'clientId' | 'waiting' | 'grant' | 'related' | 'isTimed';
/** A new member of an access does not compile until one of the two lists names it. */
type MissingMember = Exclude<keyof Access, KeyMember | DerivedMember>;

/**
 * Names whatever decides what an access shows: two accesses with one key get the same answer to the same question. Whatever is
 * cached for later requests has it in its key.
 */
export function toAccessKey(access: [MissingMember] extends [never] ? Pick<Access, KeyMember> : never): string {
  const { kind, authId, profileId, roles, appId, scopes, view = '' } = access;
  // Roles of a visitor are always the same.
  const isVisitor = authId === undefined && appId === undefined;
  const who = isVisitor ? '' : `${authId ?? ''} ${appId ?? ''} ${roles.join()} ${scopes.join()}`;
  return `${kind} ${who} ${profileId ?? ''} ${view}`;
}

/** The grant of every row. */
export const WHOLE: Grant = Object.freeze({});

const grantWhole = (): Grant => WHOLE;
const grantNothing = (): undefined => undefined;
const NONE: readonly string[] = Object.freeze([]);

/** Start-up, jobs, commands and Treadle's own inner work. */
export const SYSTEM: Access = Object.freeze({ kind: 'system', roles: NONE, scopes: NONE, grant: grantWhole });

/** Work without a caller: it reaches nothing. */
export const NOBODY: Access = Object.freeze({
  kind: 'none',
  roles: NONE,
  scopes: NONE,
  grant: grantNothing,
  related: grantNothing,
});

export type Who = Omit<Access, 'grant' | 'related' | 'roles' | 'scopes' | 'view' | 'isTimed'> &
  Partial<Pick<Access, 'roles' | 'scopes'>>;

/** An access that reaches every row of every schema. */
export function createAccess(who: Who): Access {
  return Object.freeze({ roles: NONE, scopes: NONE, ...who, grant: grantWhole });
}

/** An access limited to the rows of one profile. Rows that these rows lead to stay visible in their relations. */
export function createOwnerAccess(who: Who, profileId: number): Access {
  const grant: Grant = Object.freeze({ rows: Object.freeze({ owner: profileId }) });
  return Object.freeze({ roles: NONE, scopes: NONE, ...who, grant: () => grant });
}

/** The access of the work that runs now; {@link NOBODY} outside any scope. */
export function getAccess(): Access {
  return readScope<{ readonly access?: Access }>()?.access ?? NOBODY;
}

const NO_COLUMNS: ReadonlySet<string> = new Set();

/**
 * The columns of a schema that the work may show of a row: those of a detail, which writes answer too, and row versions
 * are made of. Undefined: all.
 */
export function findReadable(access: Access, schema: string): ReadonlySet<string> | undefined {
  const detail = access.grant(schema, 'detail');
  return detail === undefined ? NO_COLUMNS : detail.read;
}

/** As {@link findReadable}: those of every row, so that a value may name a row. */
export function findSurelyReadable(access: Access, schema: string): ReadonlySet<string> | undefined {
  const detail = access.grant(schema, 'detail');
  return detail === undefined ? NO_COLUMNS : (detail.sure ?? detail.read);
}

/** The account that a token acts for: a user call reads and ends only what is this account's. Undefined outside user calls. */
export function findTokenAccount(): number | undefined {
  const { kind, authId } = getAccess();
  // Ids start at 1, so 0 matches none.
  return kind === 'user' ? (authId ?? 0) : undefined;
}

/** Runs work as another caller, inside the open transaction, if any. */
export function runAs<T>(access: Access, work: () => T): T {
  return scopeStore.run({ ...scopeStore.getStore(), access }, work);
}

/** Runs Treadle's own inner work, which no rule of the caller limits. */
export const asSystem = <T>(work: () => T): T => runAs(SYSTEM, work);

/** Runs Treadle's own inner work outside any exchange and transaction: work that outlives what started it. */
export const apartAsSystem = <T>(work: () => T): T => scopeStore.run({ access: SYSTEM }, work);

import type { RowFilter, RowPredicate, WriteRule } from '../../core/access.ts';
import type { Request } from '../../core/request/request.ts';
import type { Refusal } from '../../core/request/response.ts';
import { noteRule } from '../../core/text/rule-note.ts';
import { listLinkKeys } from '../../model/link-keys.ts';
import type { Reach } from '../../store/read/source/view.ts';
import type { ImportPlan } from './import-plan.ts';
import type { RowPlan } from './row-plan.ts';

const toMessage = (name: string): string => noteRule(`You are not allowed to write "${name}"`, { rule: 'read_only' });

function toFailure(names: readonly string[]): Refusal {
  const [first = ''] = names;
  const message =
    names.length === 1 ? toMessage(first) : `You are not allowed to write ${names.length} columns: ${names.join(', ')}`;
  return {
    status: 403,
    message,
    validation: Object.fromEntries(names.map((name) => [name, toMessage(name)])),
    code: 'COLUMN_NOT_WRITABLE',
  };
}

const toServerSet = (names: readonly string[]): Refusal => ({
  status: 403,
  message: `${names.join(', ')}: set by the site`,
  validation: Object.fromEntries(
    names.map((name) => [name, noteRule('Is set by the site', { rule: 'read_only' }, name)]),
  ),
  code: 'COLUMN_NOT_WRITABLE',
});

/** What a write may reach, or why it is refused. */
export type WriteGrant = { readonly reach: Reach } | { readonly failure: Refusal };

/** A submitted name; one of these columns or keys must be writable. */
interface SentName {
  readonly name: string;
  readonly targets: readonly string[];
}

const isAllowed = ({ targets }: SentName, write: ReadonlySet<string> | undefined): boolean =>
  write === undefined || targets.some((target) => write.has(target));

function toRows(owner: number | undefined, filters: readonly (RowFilter | undefined)[]): RowPredicate {
  const held = owner === undefined ? {} : { owner };
  const anyOf = filters.filter((filter) => filter !== undefined);
  return anyOf.length < filters.length ? held : { ...held, anyOf };
}

/**
 * Keeps of the rules that add up to a reach those that allow all that was sent: the row before the write must match
 * one of them, and the row after it too. Refuses what none of them allows.
 */
function narrow(reach: Reach, sent: readonly SentName[]): WriteGrant {
  const rules: readonly WriteRule[] = reach.rules ?? [{ ...(reach.write === undefined ? {} : { write: reach.write }) }];
  const refused = rules.map(({ write }) => sent.filter((item) => !isAllowed(item, write)).map(({ name }) => name));
  const fitting = rules.filter((_, index) => refused[index]?.length === 0);
  if (fitting.length === 0) {
    const [least = []] = refused.sort((a, b) => a.length - b.length);
    return least.length === 0 ? { reach } : { failure: toFailure(least) };
  }
  if (reach.rules === undefined) return { reach };
  const owner = reach.rows?.owner;
  return {
    reach: {
      ...reach,
      rows: toRows(
        owner,
        fitting.map(({ filter }) => filter),
      ),
      after: toRows(
        owner,
        fitting.map(({ filter, check }) => check ?? filter),
      ),
    },
  };
}

/** True if the request itself brought a value, null included, or a file under a name. Values set by code do not count. */
const isSent = (request: Request, name: string): boolean =>
  (request.getStage(name) !== undefined && request.isBrought(name)) ||
  (request.hasFiles() && request.getFiles(name) !== undefined);

/**
 * Refuses columns, and ids of rows to link, that the request brought but may not write; else gives the rows that it
 * may write so.
 *
 * @param key The column that identifies the row; exempt from the check.
 */
export function restrictToWritable(request: Request, plan: RowPlan, reach: Reach, key?: string): WriteGrant {
  const closed = plan.serverSet.filter((name) => name !== key && isSent(request, name));
  if (closed.length > 0) return { failure: toServerSet(closed) };
  if (reach.write === undefined && reach.rules === undefined) return { reach };
  const { stored, primary } = plan.schema.row;
  const names = [...stored, ...plan.links.map((link) => link.key)].filter(
    (name) => name !== primary && name !== key && isSent(request, name),
  );
  return narrow(
    reach,
    names.map((name) => ({ name, targets: [name] })),
  );
}

/** The column and relation names that allow a key of an imported row; empty for a key that writes nothing. */
function listTargets(key: string, { keys, rows: { schema, links } }: ImportPlan): readonly string[] {
  const meaning = keys.get(key);
  if (meaning?.kind === 'column') return meaning.column === schema.primary ? [] : [meaning.column];
  if (meaning?.kind !== 'links') return [];
  const { relation } = meaning.links;
  return [
    ...listLinkKeys(schema, relation),
    ...links.filter((link) => link.relation === relation).map((link) => link.key),
  ];
}

/** The keys of imported rows. */
export const listKeys = (rows: readonly unknown[]): string[] => [
  ...new Set(rows.flatMap((row) => (typeof row === 'object' && row !== null ? Object.keys(row) : []))),
];

/** As {@link restrictToWritable}, for imported rows with these keys. */
export function restrictToWritableKeys(names: readonly string[], plan: ImportPlan, reach: Reach): WriteGrant {
  const closed = names.filter((name) => listTargets(name, plan).some((at) => plan.rows.serverSet.includes(at)));
  if (closed.length > 0) return { failure: toServerSet(closed) };
  if (reach.write === undefined && reach.rules === undefined) return { reach };
  const sent = names.map((name) => ({ name, targets: listTargets(name, plan) }));
  return narrow(
    reach,
    sent.filter(({ targets }) => targets.length > 0),
  );
}

/** Whether keys of imported rows name rows to link. */
export const hasLinks = (names: readonly string[], { keys }: ImportPlan): boolean =>
  names.some((key) => keys.get(key)?.kind === 'links');

import type { Request } from '../../core/request.ts';
import type { Refusal } from '../../core/response.ts';
import { listLinkKeys } from '../../model/link-keys.ts';
import type { ImportPlan } from './import-plan.ts';
import type { RowPlan } from './row-plan.ts';

type Writable = ReadonlySet<string> | undefined;

const toMessage = (name: string): string => `You are not allowed to write "${name}"`;

function toFailure(messages: Readonly<Record<string, string>>): Refusal | undefined {
  const faults = Object.values(messages);
  const [first] = faults;
  if (first === undefined) return undefined;
  const names = Object.keys(messages).join(', ');
  const message = faults.length === 1 ? first : `You are not allowed to write ${faults.length} columns: ${names}`;
  return { status: 403, message, validation: messages };
}

/** True if the request itself brought a value or a file under a name. Values set by code do not count. */
const isSent = (request: Request, name: string): boolean =>
  (request.hasStage(name) && request.isBrought(name)) || (request.hasFiles() && request.getFiles(name) !== undefined);

/**
 * Refuses columns, and ids of rows to link, that the request brought but may not write.
 *
 * @param key The column that identifies the row; exempt from the check.
 */
export function findUnwritable(request: Request, plan: RowPlan, write: Writable, key?: string): Refusal | undefined {
  if (write === undefined) return undefined;
  const { stored, primary } = plan.schema.row;
  const names = [...stored, ...plan.links.map((link) => link.key)].filter(
    (name) => name !== primary && name !== key && !write.has(name) && isSent(request, name),
  );
  return toFailure(Object.fromEntries(names.map((name) => [name, toMessage(name)])));
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

/** As {@link findUnwritable}, for imported rows. */
export function findUnwritableKeys(
  request: Request,
  sent: readonly unknown[],
  plan: ImportPlan,
  write: Writable,
): Refusal | undefined {
  if (write === undefined || !request.isBrought('rows')) return undefined;
  const names = new Set(sent.flatMap((row) => (typeof row === 'object' && row !== null ? Object.keys(row) : [])));
  const refused = [...names].filter((name) => {
    const targets = listTargets(name, plan);
    return targets.length > 0 && !targets.some((target) => write.has(target));
  });
  return toFailure(Object.fromEntries(refused.map((name) => [name, toMessage(name)])));
}

import type { Request } from '../../core/request.ts';
import { listLinkKeys } from '../../model/link-keys.ts';
import type { Failure } from './errors.ts';
import type { ImportPlan } from './import-plan.ts';
import type { RowPlan } from './row-plan.ts';

type Writable = ReadonlySet<string> | undefined;

const toMessage = (name: string): string => `You may not write "${name}"`;

function toFailure(messages: Readonly<Record<string, string>>): Failure | undefined {
  const faults = Object.values(messages);
  const [first] = faults;
  if (first === undefined) return undefined;
  const message = faults.length === 1 ? first : `You may not write ${faults.length} of the columns that were sent`;
  return { status: 403, message, validation: messages };
}

/** Whether the request brought a value or a file under a name; what code set is not the request's. */
const isSent = (request: Request, name: string): boolean =>
  (request.hasStage(name) && request.isBrought(name)) || (request.hasFiles() && request.getFiles(name) !== undefined);

/**
 * Refuses the columns, and the ids of rows to link, that the request brought and may not write.
 *
 * @param key The column that names the row which is changed.
 */
export function findUnwritable(request: Request, plan: RowPlan, write: Writable, key?: string): Failure | undefined {
  if (write === undefined) return undefined;
  const { stored, primary } = plan.schema.row;
  const names = [...stored, ...plan.links.map((link) => link.key)].filter(
    (name) => name !== primary && name !== key && !write.has(name) && isSent(request, name),
  );
  return toFailure(Object.fromEntries(names.map((name) => [name, toMessage(name)])));
}

/** The names by which a key of an imported row may be written; none for a key that writes nothing. */
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

/** As {@link findUnwritable}, for the keys of imported rows. */
export function findUnwritableKeys(
  request: Request,
  sent: readonly unknown[],
  plan: ImportPlan,
  write: Writable,
): Failure | undefined {
  if (write === undefined || !request.isBrought('rows')) return undefined;
  const names = new Set(sent.flatMap((row) => (typeof row === 'object' && row !== null ? Object.keys(row) : [])));
  const refused = [...names].filter((name) => {
    const targets = listTargets(name, plan);
    return targets.length > 0 && !targets.some((target) => write.has(target));
  });
  return toFailure(Object.fromEntries(refused.map((name) => [name, toMessage(name)])));
}

import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { holdsFiles } from '../model/field/field-kind.ts';
import type { ColumnModel, Model } from '../model/model.ts';
import { listSignupColumns } from '../model/role/signup-columns.ts';
import { createUsageError } from './failure.ts';

const toExample = (column: ColumnModel): string =>
  `--set ${column.name}=${holdsFiles(column) ? '@path/to/file' : `"${column.label}"`}`;

/** Refuses a user without the required columns of the profile, and says how each is given. @throws CLI_USAGE */
function requireColumns(model: Model, columns: Readonly<Record<string, string>>): void {
  const missing = listSignupColumns(model).filter(({ name }) => (columns[name] ?? '') === '');
  if (missing.length === 0) return;
  const names = missing.map((column) => (holdsFiles(column) ? `${column.name} (a file)` : column.name));
  throw createUsageError(`The profile needs ${names.join(', ')}.`, `Add: ${missing.map(toExample).join(' ')}`);
}

/** A file as a data URI: the event takes one where a form sends a file. */
async function readAsUri(path: string, name: string): Promise<string> {
  try {
    return `data:application/octet-stream;base64,${(await readFile(path)).toString('base64')}`;
  } catch {
    throw createUsageError(`--set ${name} can't read the file ${path}.`, `Such as --set ${name}=@picture.png.`);
  }
}

/** Columns of the profile, each as `column=value`. */
function parsePairs(pairs: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    pairs.map((pair) => {
      const at = pair.indexOf('=');
      if (at > 0) return [pair.slice(0, at), pair.slice(at + 1)];
      throw createUsageError(`--set can't be "${pair}".`, 'Such as --set profile_city=Paris.');
    }),
  );
}

/**
 * The profile's columns of `user create`, from options such as `profile_city=Paris`. A column that holds files takes
 * `@path` for a file, relative to the working folder.
 *
 * @throws CLI_USAGE
 */
export async function readUserColumns(
  model: Model,
  pairs: readonly string[],
  folder: string,
): Promise<Record<string, string>> {
  const columns = parsePairs(pairs);
  requireColumns(model, columns);
  for (const column of model.schemas.get('profile')?.columns ?? []) {
    const value = columns[column.name];
    if (value?.startsWith('@') && holdsFiles(column) && !column.parts)
      columns[column.name] = await readAsUri(resolve(folder, value.slice(1)), column.name);
  }
  return columns;
}

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Problem } from '../../core/errors.ts';
import type { Model } from '../../model/model.ts';
import { writeFileAtomically } from '../../project/write.ts';
import { printTypes, TYPES_FILE } from './file.ts';

const readTypes = (root: string): Promise<string | undefined> =>
  readFile(join(root, TYPES_FILE), 'utf8').catch(() => undefined);

/** Advice if the types are of other definitions: the compiler would judge the code by them. */
export async function findOldTypes(root: string, model: Model | undefined): Promise<Problem[]> {
  const there = await readTypes(root);
  if (model === undefined || there === undefined || there === printTypes(model)) return [];
  const message = 'The types are not those of the definitions as they are now.';
  return [{ code: 'TYPES_OLD', file: TYPES_FILE, path: '', message, hint: 'Run: treadle types', severity: 'advice' }];
}

/**
 * Writes the types again if the file exists and the model has changed.
 *
 * @returns True if it was written.
 */
export async function refreshTypes(model: Model, root: string): Promise<boolean> {
  const there = await readTypes(root);
  if (there === undefined) return false;
  const text = printTypes(model);
  if (text === there) return false;
  await writeFileAtomically(join(root, TYPES_FILE), text);
  return true;
}

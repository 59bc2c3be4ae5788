import { findOwn, toObject } from '../../core/record.ts';
import type { Request } from '../../core/request/request.ts';
import { isSentFile, type SentFile } from '../../core/request/sent-file.ts';
import { type FileTaker, fieldKinds, holdsFiles, ValueRefused } from '../../model/field/field-kind.ts';
import { describeAccepted, FILE_TYPES, findAccepted } from '../../model/field/file-type.ts';
import { isRecord } from '../../model/json/json-value.ts';
import type { ColumnModel } from '../../model/model.ts';
import type { Field } from '../../model/shape.ts';
import type { Services } from '../../plan/feature.ts';
import { type FileContent, readContent, readFileContent, readImageSize } from '../../project/file-content.ts';
import type { StoredFile } from '../../project/file-store.ts';
import { describeContent, findFieldLimit, findPixelError, hasPixels } from '../../project/upload-check.ts';
import type { Stage } from './stage.ts';

/** The type of a stored file: what its extension says, which was chosen by its bytes; of others what the bytes show. */
function readStoredContent({ name, path }: StoredFile): FileContent | Promise<FileContent> {
  const extension = name.slice(name.lastIndexOf('.') + 1);
  const known = findOwn(FILE_TYPES, extension);
  return known ? { extension, mime: known.mime } : readFileContent(path);
}

/**
 * The uploaded files of one row. Each is checked, stored under a new name, and removed again if the row is not
 * written.
 */
export class Uploads implements FileTaker {
  readonly #services: Pick<Services, 'files' | 'log'>;
  readonly #maxBytes: number;
  readonly #stored: string[] = [];
  #known: Readonly<Record<string, unknown>> = {};

  constructor(services: Pick<Services, 'files' | 'log'>, maxBytes: number) {
    this.#services = services;
    this.#maxBytes = maxBytes;
  }

  /** Whether no file was stored that a failed write must remove. */
  get isEmpty(): boolean {
    return this.#stored.length === 0;
  }

  async take(file: SentFile, field: Field): Promise<string> {
    const limit = findFieldLimit(field, this.#maxBytes);
    if (file.bytes === 0) throw new ValueRefused('is an empty file');
    if (file.bytes > limit) throw new ValueRefused(`is a file of ${file.bytes} bytes; at most ${limit} are taken`);
    const content = await readContent(file.buffer);
    const extension = findAccepted(field, content, file.name);
    if (extension === undefined)
      throw new ValueRefused(`is ${describeContent(content)}; it must be one of ${describeAccepted(field)}`);
    const refusal = hasPixels(content) ? findPixelError(await readImageSize(file.buffer), field) : undefined;
    if (refusal !== undefined) throw new ValueRefused(refusal);
    const address = await this.#services.files.save(file.buffer, extension);
    this.#stored.push(address);
    return address;
  }

  /** Notes the row as it is stored: the addresses in it stay, whatever their field takes today. */
  know(stored: Readonly<Record<string, unknown>>): void {
    this.#known = stored;
  }

  async check(address: string, field: Field): Promise<void> {
    const file = await this.#services.files.open(address);
    if (file === undefined) throw new ValueRefused('names an upload that does not exist');
    if (this.#isKnown(address)) return;
    const limit = findFieldLimit(field, this.#maxBytes);
    if (file.bytes > limit) throw new ValueRefused(`names a file of ${file.bytes} bytes; at most ${limit} are taken`);
    const content = await readStoredContent(file);
    if (findAccepted(field, content, file.name) !== undefined) return;
    throw new ValueRefused(`names ${describeContent(content)}; it must be one of ${describeAccepted(field)}`);
  }

  #isKnown(address: string): boolean {
    return Object.values(this.#known).some(
      (value) => value === address || JSON.stringify(value ?? null).includes(address),
    );
  }

  /**
   * Removes the stored files, because the row was not written. `treadle upload clean` removes what fails here.
   */
  async discard(): Promise<void> {
    for (const address of this.#stored.splice(0)) {
      try {
        await this.#services.files.remove(address);
      } catch (error) {
        this.#services.log.warn('an upload could not be removed', { error });
      }
    }
  }
}

const toListOf = (value: unknown, column: ColumnModel): unknown[] => {
  const read = isSentFile(value) ? [value] : fieldKinds[column.field.type].coerce(value, 0);
  return Array.isArray(read) ? read : [];
};

/**
 * A column's posted value combined with its uploaded files: a file replaces an address, lists are concatenated.
 */
function joinColumn(column: ColumnModel, posted: unknown, files: unknown): unknown {
  const { field, parts } = column;
  if (files === undefined) return posted;
  if (!parts) return fieldKinds[field.type].isJson ? [...toListOf(posted, column), ...toListOf(files, column)] : files;
  if (field.multiple !== true) return joinGroup(parts, posted, files);
  if (typeof files !== 'object' || files === null) return posted;
  const groups: Record<string, unknown> = typeof posted === 'object' && posted !== null ? { ...posted } : {};
  for (const [key, group] of Object.entries(files)) groups[key] = joinGroup(parts, groups[key], group);
  return groups;
}

function joinGroup(parts: readonly ColumnModel[], posted: unknown, files: unknown): unknown {
  if (!isRecord(files)) return posted;
  const group: Record<string, unknown> = isRecord(posted) ? { ...posted } : {};
  for (const part of parts) {
    if (Object.hasOwn(files, part.name)) group[part.name] = joinColumn(part, group[part.name], files[part.name]);
  }
  return group;
}

/** The stage with a form's uploaded files in their columns. */
export function withFiles(columns: readonly ColumnModel[], request: Request): Stage {
  const stage = toObject(request.getStage());
  if (!request.hasFiles()) return stage;
  const joined = { ...stage };
  for (const column of columns.filter(holdsFiles)) {
    const files = request.getFiles(column.name);
    if (files !== undefined) joined[column.name] = joinColumn(column, stage[column.name], files);
  }
  return joined;
}

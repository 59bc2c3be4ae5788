import { fieldKinds } from '../../model/field/field-kind.ts';
import type { CallModel, ColumnModel, Model } from '../../model/model.ts';
import type { Field, Rest } from '../../model/shape.ts';
import type { CallPlan } from '../feature.ts';
import { listCallScopes } from './scope.ts';

/** A call that writes files, with the scopes that open it. */
interface FileWriter {
  /** Empty if every caller of the kind may make it. */
  readonly scopes: readonly string[];
  readonly fields: readonly Field[];
}

/** The call that stores one file, so that other calls take its address: `POST /rest/<access>/upload`. */
export interface UploadCall {
  readonly name: string;
  readonly access: Rest['access'];
  readonly path: string;
  /** A caller needs one of them; empty if none is needed. */
  readonly scopes: readonly string[];
  readonly writers: readonly FileWriter[];
}

const WRITES = /^system-model-(?:create|update|batch)$/;
const ACCESSES: readonly Rest['access'][] = ['public', 'app', 'user'];

/** The file fields of columns, also those within fieldsets. */
const listFileFields = (columns: readonly ColumnModel[]): Field[] =>
  columns.flatMap(({ field, parts }) =>
    parts ? listFileFields(parts) : fieldKinds[field.type].group === 'file' ? [field] : [],
  );

function toWriter(call: CallModel, model: Model): FileWriter | undefined {
  const { definition, schema } = call;
  const columns = schema === undefined ? undefined : model.schemas.get(schema)?.columns;
  if (columns === undefined || !WRITES.test(definition.event)) return undefined;
  const fields = listFileFields(columns);
  if (fields.length === 0) return undefined;
  const scopes = listCallScopes(call, model);
  // No token can make a user call that is in no scope.
  return definition.access === 'user' && scopes.length === 0 ? undefined : { scopes, fields };
}

/**
 * The upload calls of a project: one for each kind of access that writes files by some call. The public one only if the
 * settings open it. A call of the project at the same path stands in its place.
 */
export function listUploadCalls(calls: readonly CallModel[], model: Model): UploadCall[] {
  const { settings } = model;
  if (settings.api === false) return [];
  const isTaken = (wanted: string): boolean =>
    calls.some(({ path, definition: { method } }) => path === wanted && (method === 'post' || method === 'all'));
  return ACCESSES.flatMap((access) => {
    const path = `/rest/${access}/upload`;
    if ((access === 'public' && !settings.upload.public) || isTaken(path)) return [];
    const own = calls.filter(({ definition }) => definition.access === access);
    const writers = own.flatMap((call) => toWriter(call, model) ?? []);
    if (writers.length === 0) return [];
    const isOpen = writers.some(({ scopes }) => scopes.length === 0);
    const scopes = isOpen ? [] : [...new Set(writers.flatMap((writer) => writer.scopes))].sort();
    return [{ name: `${access}-upload`, access, path, scopes, writers }];
  });
}

/** An upload call as the other calls are, for its credentials. */
export const toUploadPlan = ({ name, access, path, scopes }: UploadCall): CallPlan => ({
  name,
  definition: {
    title: 'Upload a file',
    access,
    method: 'post',
    path: path.slice('/rest'.length),
    // It changes data as this event does.
    event: 'system-model-create',
  },
  path,
  parameters: [],
  scopes,
  schema: undefined,
  isOwn: false,
  file: '',
  handler: undefined,
});

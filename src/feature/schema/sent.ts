import { memoize } from '../../core/memoize.ts';
import type { Request } from '../../core/request/request.ts';
import { isReadField } from '../../form/posted.ts';
import { isRecord, parseJsonText } from '../../model/json/json-value.ts';
import type { ColumnModel } from '../../model/model.ts';
import type { Stage } from './stage.ts';
import { withFiles } from './uploads.ts';

const isForm = (request: Request): boolean => {
  const type = request.getServer('content-type');
  return typeof type === 'string' && /^\s*(?:application\/x-www-form-urlencoded|multipart\/form-data)\b/i.test(type);
};

const holdsJson = ({ field, parts = [] }: ColumnModel): boolean => field.type === 'rawjson' || parts.some(holdsJson);
const listJson = memoize((columns: readonly ColumnModel[]): readonly ColumnModel[] => columns.filter(holdsJson));

/** Parses the texts of a form's inputs as JSON. */
function readJsonInput(column: ColumnModel, value: unknown): unknown {
  if (column.field.type === 'rawjson') return parseJsonText(value);
  if (Array.isArray(value)) return value.map((group) => readJsonInput(column, group));
  if (!isRecord(value)) return value;
  const { parts = [], field } = column;
  const isList = field.multiple === true && Object.keys(value).every((key) => /^\d+$/.test(key));
  if (isList)
    return Object.fromEntries(
      Object.entries(value).map(([key, group]) => [
        key,
        readJsonInput({ ...column, field: { ...field, multiple: false } }, group),
      ]),
    );
  const read = parts
    .filter((part) => holdsJson(part) && Object.hasOwn(value, part.name))
    .map((part) => [part.name, readJsonInput(part, value[part.name])] as const);
  return { ...value, ...Object.fromEntries(read) };
}

/**
 * The stage as the request brought it, with uploaded files in their columns. Raw JSON of a form's inputs is parsed, because
 * a form can only send text; a text in a JSON body, or one that code sets, stays a text.
 */
export function readSent(columns: readonly ColumnModel[], request: Request): Stage {
  const stage = withFiles(columns, request);
  const json = listJson(columns);
  if (json.length === 0 || !isForm(request)) return stage;
  const typed = json.filter(
    ({ name }) => Object.hasOwn(stage, name) && stage[name] === request.getPost(name) && !isReadField(request, name),
  );
  if (typed.length === 0) return stage;
  return {
    ...stage,
    ...Object.fromEntries(typed.map((column) => [column.name, readJsonInput(column, stage[column.name])])),
  };
}

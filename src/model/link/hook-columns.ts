import { toDidYouMean } from '../../core/text/suggest.ts';
import { fieldKinds } from '../field/field-kind.ts';
import { describeTreeOperator, isTreeOperator, OPERATOR_NAMES } from '../filter/operator.ts';
import { CHANGED, hasRow, ORIGINAL } from '../hook-event.ts';
import { isRecord } from '../json/json-value.ts';
import type { Source } from '../parse.ts';
import { compileRowShape } from '../row-shape.ts';
import type { Hook } from '../shape.ts';
import type { Report } from './report.ts';
import type { SchemaDraft } from './schemas.ts';

type Drafts = ReadonlyMap<string, SchemaDraft>;

/** True if every schema with columns in the row could be parsed. */
const isWhole = (draft: SchemaDraft, drafts: Drafts): boolean =>
  (draft.definition.relations ?? []).every(({ schema }) => drafts.has(schema));

type Path = readonly (string | number)[];

/** Checks the column names of one hook against its schema. */
class Check {
  readonly #source: Source<Hook>;
  readonly #draft: SchemaDraft;
  readonly #known: ReadonlySet<string>;
  readonly #report: Report;

  constructor(source: Source<Hook>, draft: SchemaDraft, drafts: Drafts, report: Report) {
    this.#source = source;
    this.#draft = draft;
    this.#known = compileRowShape(draft, (name) => drafts.get(name)).names;
    this.#report = report;
  }

  column(name: string, path: Path): void {
    if (this.#known.has(name)) return;
    const message = `"${name}" is not a column of "${this.#draft.name}" that is sent.`;
    this.#report.add(this.#source, path, { code: 'MODEL_HOOK_COLUMN', message, hint: toDidYouMean(name, this.#known) });
  }

  /** `name` may continue within JSON, with any key. */
  #condition(name: string, wanted: unknown, path: Path): void {
    const head = name.split('.', 1)[0] ?? '';
    this.column(head, path);
    const type = this.#draft.byName.get(head)?.field.type;
    const isOpen = head !== name || (type !== undefined && fieldKinds[type].isJson);
    if (isOpen || !isRecord(wanted)) return;
    for (const operator of Object.keys(wanted)) this.#operator(operator, [...path, operator]);
  }

  #operator(operator: string, path: Path): void {
    if (OPERATOR_NAMES.includes(operator)) return;
    if (isTreeOperator(operator)) {
      this.#report.add(this.#source, path, { code: 'MODEL_HOOK_OPERATOR', ...describeTreeOperator(operator) });
      return;
    }
    const message = `"${operator}" is not an operator.`;
    const hint = toDidYouMean(operator, OPERATOR_NAMES);
    this.#report.add(this.#source, path, { code: 'MODEL_HOOK_OPERATOR', message, hint });
  }

  /** Names of columns: one, a list, or either under an operator. */
  #changed(wanted: unknown, path: Path): void {
    if (typeof wanted === 'string') for (const name of wanted.split(',')) this.column(name.trim(), path);
    else if (Array.isArray(wanted))
      for (const [index, name] of wanted.entries()) this.column(String(name), [...path, index]);
    else if (isRecord(wanted))
      for (const [operator, inner] of Object.entries(wanted)) {
        this.#operator(operator, [...path, operator]);
        if (operator !== 'null') this.#changed(inner, [...path, operator]);
      }
  }

  filter(name: string, wanted: unknown): void {
    const path = ['filter', name];
    if (name === CHANGED) this.#changed(wanted, path);
    else if (name.startsWith(`${ORIGINAL}.`)) this.#condition(name.slice(ORIGINAL.length + 1), wanted, path);
    else if (name === ORIGINAL && isRecord(wanted))
      for (const [inner, value] of Object.entries(wanted)) this.#condition(inner, value, [...path, inner]);
    else this.#condition(name, wanted, path);
  }
}

/** Reports unknown columns in a hook's `filter` and `fields`, and unknown operators. */
export function checkHookColumns(
  source: Source<Hook>,
  schema: string | undefined,
  drafts: Drafts,
  report: Report,
): void {
  const { event, filter = {}, fields = [] } = source.value;
  const draft = schema === undefined ? undefined : drafts.get(schema);
  for (const [index, name] of fields.entries()) {
    if (fields.indexOf(name) === index) continue;
    const message = `"fields" name "${name}" twice.`;
    report.add(source, ['fields', index], { code: 'MODEL_HOOK_FIELD_TWICE', message, hint: 'Remove one.' });
  }
  if (!draft || !hasRow(event) || !isWhole(draft, drafts)) return;
  const check = new Check(source, draft, drafts, report);
  for (const [index, name] of fields.entries()) check.column(name, ['fields', index]);
  for (const [name, wanted] of Object.entries(filter)) check.filter(name, wanted);
}

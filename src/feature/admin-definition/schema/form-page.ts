import { translate } from '../../../core/text/translate.ts';
import { addStamps, toDisplay } from '../../../edit/made-field.ts';
import type { Definitions } from '../../../model/definitions.ts';
import { printPath } from '../../../model/json/json-text.ts';
import { isRecord } from '../../../model/json/json-value.ts';
import { findReferences } from '../../../model/removal/reference.ts';
import { copyDefinition } from '../../../model/rename/copy.ts';
import { toFile } from '../../../model/shape.ts';
import type { Exchange } from '../../../page/exchange.ts';
import type { Context } from '../../../plan/feature.ts';
import { readProject } from '../../../project/read.ts';
import { toText } from '../control.ts';
import { leaveSaved, showForm } from '../form.ts';
import { findOwner, type OwnerKind, type OwnerValue } from '../owner.ts';
import type { Outcome } from '../submit.ts';
import { emitOwner } from './emit.ts';
import { createFormData } from './form-data.ts';
import { changeState, createState, type FormState, readState, toState, toValue } from './form-state.ts';
import { toListCrumb, toRoom } from './words.ts';

type FormValues = Readonly<Record<string, unknown>>;

/**
 * The posted action: `save`, `preview`, or what a button does with the form. The Enter key in an input posts `enter`: it adds
 * the field if a name was typed for one, otherwise it previews.
 */
function readAction({ over, do: action, add }: FormValues): string {
  if (typeof over === 'string') return 'save';
  if (action !== 'enter') return typeof action === 'string' ? action : '';
  return isRecord(add) && toText(add.name) !== '' ? 'add' : 'preview';
}

const isForEvent = (action: string): boolean => action === 'save' || action === 'preview';

/** How to save: what the event's stage takes besides the definition. */
const pickSaving = (action: string, { base, over, allow_loss, defaults }: FormValues): FormValues => ({
  do: action,
  base,
  over,
  allow_loss,
  defaults,
});

interface FormPageParams {
  readonly kind: OwnerKind;
  readonly definitions: Definitions;
  /** The definition in its file; undefined for a new one. */
  readonly found: OwnerValue | undefined;
  readonly state: FormState;
  readonly outcome: Outcome | undefined;
}

async function showOwner(context: Context, exchange: Exchange, params: FormPageParams): Promise<void> {
  const { kind, definitions, found, outcome, state } = params;
  const name = found?.name;
  const references = name === undefined ? [] : findReferences(definitions, { kind, name });
  const title = found?.plural ?? (kind === 'schema' ? translate('New schema') : translate('New field set'));
  await showForm(context, exchange, {
    title,
    crumbs: [toListCrumb(kind)],
    template: 'definition/owner',
    file: toFile(kind, name ?? state.name),
    base: toRoom(kind),
    outcome,
    isNew: found === undefined,
    data: {
      ...createFormData({ kind, definitions, state, outcome, found }),
      references: references.map(({ file, line, path }) => ({ file, line, path: printPath(path) })),
    },
  });
}

/** Adds what a command makes of what was left out. */
function toNewValue(kind: OwnerKind, state: FormState): Record<string, unknown> {
  const value = toValue(kind, state);
  if (kind === 'fieldset') return value;
  const made = state.texts.display === '' ? toDisplay(state.name, state.fields) : {};
  const fields = state.hasStamps ? addStamps(state.fields) : state.fields;
  return Object.fromEntries(
    Object.entries({ ...value, ...made, fields }).filter(([, part]) => part !== null && part !== ''),
  );
}

function copyState(definitions: Definitions, kind: OwnerKind, from: string): FormState {
  const source = definitions[kind].get(from);
  if (source === undefined) return createState(kind);
  const name = `${from}-copy`;
  return { ...toState(kind, copyDefinition(definitions, kind, from, name) as OwnerValue), name, hasStamps: false };
}

/** The page that makes a schema or a fieldset; `?copy=<name>` begins with another one. */
export const createCreateStep =
  (kind: OwnerKind) =>
  async (context: Context, exchange: Exchange): Promise<void> => {
    const { request } = exchange;
    const { definitions } = await readProject(context.services.root);
    const isPost = request.isMethod('POST');
    const posted = (isPost ? request.getPost() : {}) as FormValues;
    const action = readAction(posted);
    const copied = request.getGet('copy');
    const start = typeof copied === 'string' ? copyState(definitions, kind, copied) : createState(kind);
    const state = isPost
      ? changeState(readState(kind, posted, { ...start, isKnown: () => false }), action, posted)
      : start;
    const outcome = isForEvent(action)
      ? (
          await emitOwner(context, exchange, `system-${kind}-create`, {
            ...toNewValue(kind, state),
            ...pickSaving(action, posted),
          })
        ).outcome
      : undefined;
    if (leaveSaved(exchange, outcome, `${toRoom(kind)}/update/${state.name}`)) return;
    await showOwner(context, exchange, { kind, definitions, found: undefined, state, outcome });
  };

/** The page that changes a schema or a fieldset. */
export const createUpdateStep =
  (kind: OwnerKind) =>
  async (context: Context, exchange: Exchange): Promise<void> => {
    const { request, response } = exchange;
    const name = String(request.getParameters('name'));
    const { definitions } = await readProject(context.services.root);
    const found = findOwner(definitions, { kind, name, response });
    if (found === undefined) return;
    const isPost = request.isMethod('POST');
    const posted = (isPost ? request.getPost() : {}) as FormValues;
    const action = readAction(posted);
    const isKnown = (field: string): boolean => found.fields.some((each) => each.name === field);
    const start = toState(kind, found);
    const state = isPost
      ? { ...changeState(readState(kind, posted, { ...start, isKnown }), action, posted), name }
      : start;
    const outcome = isForEvent(action)
      ? (
          await emitOwner(context, exchange, `system-${kind}-update`, {
            ...toValue(kind, state),
            ...pickSaving(action, posted),
          })
        ).outcome
      : undefined;
    if (leaveSaved(exchange, outcome, `${toRoom(kind)}/update/${name}`)) return;
    await showOwner(context, exchange, { kind, definitions, found, state, outcome });
  };

import { hash } from 'node:crypto';
import { getAccess } from '../../../core/access.ts';
import { toLocalText, translate } from '../../../core/text/translate.ts';
import { toFieldId } from '../../../form/name.ts';
import type { ForeignKey, SchemaModel } from '../../../model/model.ts';
import { toLabelText } from '../../../model/names.ts';
import { mayOpen } from '../../../page/guard.ts';
import type { Context } from '../../../plan/feature.ts';
import { toDataPath } from '../offer.ts';
import { type Choice, findChoices, readChoice, toRowPath } from './choice.ts';

/** A row that this row refers to: a foreign key with the schema of the other row. */
export interface Link {
  readonly key: ForeignKey;
  readonly target: SchemaModel;
  readonly label: string;
}

/** The foreign keys of a schema's rows, with a label each. */
export function listLinks({ plan }: Context, schema: SchemaModel): Link[] {
  return schema.row.keys.flatMap((key) => {
    const target = plan.model.schemas.get(key.target);
    if (!target) return [];
    const isNamed = key.origin === 'own' && key.relation.name !== key.target;
    return [{ key, target, label: toLocalText(isNamed ? toLabelText(key.relation.name) : target.singular) }];
  });
}

/** A picker as `templates/admin/data/picker.html` shows it. */
export interface PickerView {
  readonly id: string;
  readonly name: string;
  readonly label: string;
  readonly error: string | undefined;
  readonly isRequired: boolean;
  readonly q: string;
  readonly isNone: boolean;
  /** Label of the chosen row. */
  readonly chosen: string;
  /** Whether the search and the rows show at once, not only when somebody changes the row. */
  readonly isOpen: boolean;
  readonly choices: readonly (Choice & { readonly isChosen: boolean; readonly path: string })[];
  readonly fault: string | undefined;
  readonly createPath: string | undefined;
  readonly optionsPath: string;
  readonly singular: string;
  readonly plural: string;
}

export const toKeyText = (value: unknown): string =>
  typeof value === 'number' || typeof value === 'string' ? String(value).trim() : '';

/** Names which row is chosen; see `toFingerprint` of a column. */
export const toKeyFingerprint = (value: unknown): string =>
  hash('sha1', `id ${toKeyText(value)}`, 'base64url').slice(0, 12);

interface PickerInput {
  readonly context: Context;
  readonly link: Link;
  /** Id of the chosen row, or what was posted. */
  readonly chosen: unknown;
  readonly q: string;
  readonly error: string | undefined;
}

/** The path of a schema's form for new rows, if the viewer may create some. */
export function findCreatePath(context: Context, { name }: SchemaModel): string | undefined {
  const path = `${toDataPath(name)}/create`;
  return getAccess().grant(name, 'create') !== undefined && mayOpen(context, path, 'POST') ? path : undefined;
}

/** The picker of one row: the chosen one first, then those that were found. */
export async function createPickerView({ context, link, chosen, q, error }: PickerInput): Promise<PickerView> {
  const { key, target, label } = link;
  const id = Number(toKeyText(chosen));
  const isChosen = Number.isSafeInteger(id) && id > 0;
  const found = await findChoices(context, target, q);
  const own = isChosen
    ? [found.choices.find((choice) => choice.id === id) ?? (await readChoice(context, target, id))]
    : [];
  const others = found.choices.filter((choice) => !isChosen || choice.id !== id);
  const isNothing = q !== '' && found.choices.length === 0;
  const isRequired = !key.isNullable;
  return {
    id: toFieldId(key.column),
    name: key.column,
    label,
    error,
    isRequired,
    q,
    isNone: !isChosen,
    chosen: own[0]?.label ?? translate('None'),
    isOpen: q !== '' || error !== undefined || (isRequired && !isChosen),
    choices: [...own, ...others].map((choice) => ({
      ...choice,
      isChosen: choice.id === id,
      path: toRowPath(target, choice.id),
    })),
    fault: found.fault ?? (isNothing ? translate('Nothing was found.') : undefined),
    createPath: findCreatePath(context, target),
    optionsPath: `${toDataPath(target.name)}/pick`,
    singular: toLocalText(target.singular),
    plural: toLocalText(target.plural),
  };
}

import { translate } from '../../../core/text/translate.ts';
import { type Client, createClient } from '../../../edit/client.ts';
import { findNameReserve, toLabelText } from '../../../model/names.ts';
import { copyDefinition } from '../../../model/rename/copy.ts';
import { NAME_LENGTH, NAME_PATTERN } from '../../../model/shape/text.ts';
import { NAME_KEYS, toFile } from '../../../model/shape.ts';
import type { Context } from '../../../plan/feature.ts';
import { isShown } from '../shown.ts';
import type { FormFacts, Kind, Value } from './control.ts';
import { toPosted } from './form-view.ts';
import { listControls } from './groups.ts';
import { type FormValues, readForm, toText } from './read-form.ts';

/** Field of the form of a new definition that names it: `name` is a key of some kinds. */
export const NAME_FIELD = '_name';

/** A definition as a form means it, before it is judged. */
export interface Draft {
  readonly kind: Kind;
  readonly name: string;
  readonly value: Value;
  readonly posted: FormValues;
  readonly faults: Readonly<Record<string, string>>;
  /** The credentials of a new app; its secret is shown once. */
  readonly client?: Client;
}

/** Why a new definition may not have a name; undefined if it may. */
export function findNameError(kind: Kind, name: string, { definitions, plan }: FormFacts): string | undefined {
  if (!NAME_PATTERN.test(name) || name.length > NAME_LENGTH) {
    return translate(
      'A name starts with a lower case letter, holds only letters, digits, "-" and "_", and has at most {most} characters.',
      { most: NAME_LENGTH },
    );
  }
  const reserve = findNameReserve(name);
  if (reserve !== undefined) return translate('That name is taken: {reserve}.', { reserve });
  if (definitions[kind].has(name) || definitions.broken.has(`${kind}/${name}`)) {
    return translate('{file} already exists.', { file: toFile(kind, name) });
  }
  const coded = kind === 'webhook' ? plan.hooks.find((hook) => hook.name === name) : undefined;
  if (coded === undefined || plan.model.hooks.get(name) === coded) return undefined;
  return translate('The web hook "{name}" already exists: app.webhook in {file}.', { name, file: coded.file });
}

/** A definition before the keys of its form are set. */
function toStart(kind: Kind, name: string, client: Client | undefined): Value {
  const key = NAME_KEYS[kind];
  return {
    ...(key === undefined ? {} : { [key]: name }),
    ...(kind === 'role' ? { name: toLabelText(name) } : {}),
    ...client?.keys,
  };
}

/** The name and the copied definition that the form of a new one comes with. */
interface NewDefinition {
  readonly name: string;
  /** Name of the definition that it is a copy of. */
  readonly copyOf: string | undefined;
}

function findStartValue(
  { definitions }: FormFacts,
  kind: Kind,
  { name, copyOf }: NewDefinition,
  client: Client | undefined,
): Value {
  if (copyOf === undefined || !definitions[kind].has(copyOf)) return toStart(kind, name, client);
  const copy = copyDefinition(definitions, kind, copyOf, name) as unknown as Value;
  return { ...copy, ...client?.keys };
}

/** A role's label is made from its name if it is left out. */
const withLabel = (kind: Kind, posted: FormValues, name: string): FormValues =>
  kind === 'role' && toText(posted.name) === '' ? { ...posted, name: toLabelText(name) } : posted;

/** A form with the values of the keys that it did not have. */
function addUnshown(kind: Kind, posted: FormValues, before: Value): FormValues {
  const unshown = listControls(kind).filter(
    ({ key }) => !isShown(posted, `f-${key}`, posted[key] ?? posted[`${key}[]`]),
  );
  return { ...toPosted(unshown, before), ...posted };
}

/** The new definition that a form means. */
export function draftNew(context: Context, facts: FormFacts, kind: Kind, given: FormValues): Draft {
  const name = toText(given[NAME_FIELD]).trim();
  const copied = toText(given.copy);
  const isPublic = toText(given.public) === '1';
  const client = kind === 'app' ? createClient(context.services.random, isPublic) : undefined;
  const before = findStartValue(facts, kind, { name, copyOf: copied === '' ? undefined : copied }, client);
  const posted = withLabel(kind, addUnshown(kind, given, before), name);
  const read = readForm(listControls(kind), { posted, before });
  const error = findNameError(kind, name, facts);
  const errors = error === undefined ? read.faults : { [NAME_FIELD]: error, ...read.faults };
  // A copy of a public app may get a secret, and the other way round.
  const { secretHash, ...rest } = read.value;
  const value =
    client?.keys.secretHash === undefined && kind === 'app'
      ? rest
      : { ...rest, ...(secretHash === undefined ? {} : { secretHash }) };
  return { kind, name, value, posted, faults: errors, ...(client === undefined ? {} : { client }) };
}

/** The changed definition that a form means. */
export function draftChange(
  kind: Kind,
  { name, value: before }: { readonly name: string; readonly value: object },
  given: FormValues,
): Draft {
  const start = before as Value;
  const posted = addUnshown(kind, given, start);
  const read = readForm(listControls(kind), { posted, before: start });
  return { kind, name, posted, ...read };
}

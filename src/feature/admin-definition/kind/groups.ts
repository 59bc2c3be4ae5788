import { FORMS } from '../../../model/form/forms.ts';
import type { FormKey, NameSource } from '../../../model/form/key.ts';
import { isRecord } from '../../../model/json/json-value.ts';
import type { Choice, FormFacts, Kind, Value } from './control.ts';

/** Calls with the access of the scope: of files, and hand-written ones. */
function listCalls({ plan, definitions }: FormFacts, { access = 'user' }: Value): readonly Choice[] {
  const files = [...definitions.rest].map(([name, { value }]) => ({ name, definition: value }));
  const coded = plan.calls.filter(({ name }) => !definitions.rest.has(name));
  return [...files, ...coded]
    .filter(({ definition }) => definition.access === access)
    .map(({ name, definition: { title, method, path } }) => ({
      value: name,
      label: title,
      hint: `${method.toUpperCase()} /rest${path}`,
    }));
}

const listScopes = ({ definitions }: FormFacts): readonly Choice[] =>
  [...definitions.scope].map(
    ([
      value,
      {
        value: { name, description },
      },
    ]) => ({ value, label: name, hint: description }),
  );

function listHooks({ plan, definitions }: FormFacts): readonly Choice[] {
  const files = [...definitions.webhook].map(([name, { value }]) => ({ name, definition: value }));
  const coded = plan.hooks.filter(({ name }) => !definitions.webhook.has(name));
  return [...files, ...coded].map(({ name, definition: { title, type } }) => ({
    value: name,
    label: title,
    hint: type,
  }));
}

/** Columns of the schema that a hook's parameters name. */
function listColumns({ plan }: FormFacts, { parameters }: Value): readonly Choice[] {
  const name = isRecord(parameters) ? parameters.schema : undefined;
  const schema = plan.model.schemas.get(String(name ?? ''));
  return [...(schema?.row.names ?? [])].map((value) => ({ value }));
}

/** What each kind of names is chosen from. */
const NAMES: Readonly<Record<NameSource, (facts: FormFacts, value: Value) => readonly Choice[]>> = {
  event: ({ plan }) => plan.events.map(({ name }) => ({ value: name })),
  call: listCalls,
  scope: listScopes,
  hook: listHooks,
  column: listColumns,
};

/** What a key is chosen from; of a text, what is suggested for it. */
export const listChoices = ({ names, choices = [] }: FormKey, facts: FormFacts, value: Value): readonly Choice[] =>
  names === undefined ? choices.map((each) => ({ value: each })) : NAMES[names](facts, value);

export const listControls = (kind: Kind): readonly FormKey[] => FORMS[kind]().flatMap(({ keys }) => keys);

/** How a key is entered: a part of the template `kind/control`. */
type Control =
  | 'text'
  | 'area'
  | 'select'
  | 'check'
  | 'number'
  | 'date'
  | 'lines'
  | 'ticks'
  | 'map'
  | 'permissions'
  | 'json';

/** Names of which a definition has a few, so that each has a box to tick. */
const TICKED: ReadonlySet<NameSource | undefined> = new Set<NameSource>(['call', 'scope', 'hook']);

export function findControl({ key, kind, names, choices, isLong, isOffWritten }: FormKey): Control {
  switch (kind) {
    case 'text':
    case 'literal':
      return isLong === true ? 'area' : 'text';
    case 'switch':
      return isOffWritten === true ? 'select' : 'check';
    case 'choice':
      return 'select';
    case 'day':
      return 'date';
    case 'list':
      return TICKED.has(names) || choices !== undefined ? 'ticks' : 'lines';
    case 'part':
    case 'parts':
      return key === 'permissions' ? 'permissions' : 'json';
    default:
      return kind;
  }
}

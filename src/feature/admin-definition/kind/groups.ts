import { AGGREGATES, REST_METHODS } from '../../../model/shape.ts';
import type { Choice, ControlGroup, ControlSpec, FormFacts, Kind, Value } from './control.ts';

const toChoices =
  (values: readonly string[]): NonNullable<ControlSpec['choices']> =>
  () =>
    values.map((value) => ({ value }));

const listEvents = ({ plan }: FormFacts): readonly Choice[] => plan.events.map(({ name }) => ({ value: name }));

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
  const name = (parameters as Value | undefined)?.schema;
  const schema = plan.model.schemas.get(String(name ?? ''));
  return [...(schema?.row.names ?? [])].map((value) => ({ value }));
}

const DESCRIPTION: ControlSpec = { key: 'description', label: 'Description', form: 'area' };

const REST: readonly ControlGroup[] = [
  {
    title: 'Address',
    controls: [
      { key: 'title', label: 'Title', form: 'text', placeholder: 'Search articles' },
      {
        key: 'access',
        label: 'Access',
        form: 'select',
        initial: 'public',
        choices: toChoices(['public', 'app', 'user']),
      },
      { key: 'method', label: 'Method', form: 'select', initial: 'get', choices: toChoices(REST_METHODS) },
      {
        key: 'path',
        label: 'Path',
        form: 'text',
        placeholder: '/public/article/detail/:article_id',
        // Whether or not it was typed with it.
        parse: (text) => text.replace(/^\/rest(?=\/)/, ''),
      },
    ],
  },
  {
    title: 'What answers',
    controls: [
      { key: 'event', label: 'Event', form: 'text', placeholder: 'system-model-search', choices: listEvents },
      { key: 'parameters', label: 'Fixed parameters', form: 'map' },
      DESCRIPTION,
    ],
  },
  {
    title: 'Limits and lifetime',
    isFolded: true,
    controls: [
      { key: 'own', label: "Only rows of the token's user", form: 'check', initial: true },
      { key: 'open', label: 'Open to strangers on purpose', form: 'check' },
      { key: 'aggregate', label: 'Grouping that requests may use', form: 'ticks', choices: toChoices(AGGREGATES) },
      { key: 'removed', label: 'Requests may ask for removed rows', form: 'check' },
      { key: 'concurrency', label: 'If-Match', form: 'select', choices: toChoices(['optional', 'required']) },
      { key: 'maxAge', label: 'Seconds in caches', form: 'number' },
      { key: 'deprecated', label: 'Deprecated since', form: 'date' },
      { key: 'sunset', label: 'May be removed from', form: 'date' },
    ],
  },
];

const SCOPE: readonly ControlGroup[] = [
  {
    title: 'What users read',
    controls: [
      { key: 'name', label: 'Name', form: 'text', placeholder: 'See your profile' },
      DESCRIPTION,
      { key: 'access', label: 'Access', form: 'select', initial: 'user', choices: toChoices(['app', 'user']) },
      { key: 'approval', label: 'Apps need approval', form: 'check' },
    ],
  },
  { title: 'Calls', controls: [{ key: 'calls', label: 'REST calls', form: 'ticks', choices: listCalls }] },
];

const WEBHOOK: readonly ControlGroup[] = [
  {
    title: 'What fires it',
    controls: [
      { key: 'title', label: 'Title', form: 'text', placeholder: 'Article created' },
      { key: 'event', label: 'Event', form: 'text', placeholder: 'system-model-create', choices: listEvents },
      { key: 'parameters', label: 'Parameters that must match', form: 'map' },
      { key: 'filter', label: 'Filter', form: 'map' },
      DESCRIPTION,
    ],
  },
  {
    title: 'Content and receivers',
    controls: [
      { key: 'type', label: 'Type', form: 'text', placeholder: 'article.created' },
      { key: 'fields', label: 'Columns', form: 'lines', choices: listColumns },
      { key: 'audience', label: 'Audience', form: 'select', choices: toChoices(['app', 'user']) },
      { key: 'url', label: 'URL', form: 'text', inputType: 'url', placeholder: 'https://example.org/hook' },
      { key: 'delivery', label: 'Delivery', form: 'select', choices: toChoices(['queued', 'inline']) },
    ],
  },
  {
    title: 'Request, approval and secret',
    isFolded: true,
    controls: [
      { key: 'method', label: 'Method', form: 'select', choices: toChoices(['post', 'put']) },
      {
        key: 'format',
        label: 'Format',
        form: 'select',
        choices: toChoices(['standard', 'cloudevents-structured', 'cloudevents-binary']),
      },
      { key: 'approval', label: 'Apps need approval', form: 'select', isTri: true },
      { key: 'secretVersion', label: 'Version of the secret', form: 'number' },
      { key: 'secretName', label: 'Name of the secret', form: 'text' },
    ],
  },
];

const APP: readonly ControlGroup[] = [
  {
    title: 'Who it is',
    controls: [
      { key: 'title', label: 'Title', form: 'text', placeholder: 'Reader' },
      { key: 'website', label: 'Website', form: 'text', inputType: 'url', placeholder: 'https://example.org' },
      { key: 'owner', label: 'Owner', form: 'text', inputType: 'email', placeholder: 'ann@example.org' },
    ],
  },
  {
    title: 'What it may do',
    controls: [
      { key: 'redirectUris', label: 'Redirect addresses', form: 'lines', placeholder: 'https://example.org/callback' },
      { key: 'scopes', label: 'Scopes', form: 'ticks', choices: listScopes },
    ],
  },
  {
    title: 'What it receives',
    controls: [
      {
        key: 'webhook',
        label: 'Web hook address',
        form: 'text',
        inputType: 'url',
        placeholder: 'https://example.org/hook',
      },
      { key: 'hooks', label: 'Web hooks', form: 'ticks', choices: listHooks },
    ],
  },
  {
    title: 'Consent and protocol',
    isFolded: true,
    controls: [
      { key: 'rememberConsent', label: 'Ask a user only once', form: 'check' },
      { key: 'pkce', label: 'PKCE', form: 'select', choices: toChoices(['required', 'optional']) },
      { key: 'unknownScopes', label: 'Unknown scopes', form: 'select', choices: toChoices(['refuse', 'ignore']) },
      { key: 'origins', label: 'Origins', form: 'lines', placeholder: 'https://example.org' },
      { key: 'secretVersion', label: 'Version of the web hook secrets', form: 'number' },
    ],
  },
];

const ROLE: readonly ControlGroup[] = [
  {
    title: 'Who holds it',
    controls: [
      { key: 'name', label: 'Name', form: 'text', placeholder: 'Editor' },
      {
        key: 'secondFactor',
        label: 'Second factor',
        form: 'select',
        choices: toChoices(['optional', 'required']),
      },
    ],
  },
  { title: 'Paths that it opens', controls: [{ key: 'permissions', label: 'Permissions', form: 'permissions' }] },
];

/** The form of each kind: its keys, in groups. */
export const GROUPS: Readonly<Record<Kind, readonly ControlGroup[]>> = {
  rest: REST,
  scope: SCOPE,
  webhook: WEBHOOK,
  app: APP,
  role: ROLE,
};

export const listControls = (kind: Kind): readonly ControlSpec[] => GROUPS[kind].flatMap(({ controls }) => controls);

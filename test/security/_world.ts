import { addArticle, type BootOptions, boot, type Site } from '../boot.ts';
import { ask, type Client } from '../client.ts';
import type { Project } from '../project.ts';

/** A schema with a field of nearly every type, owned by a profile: the target of the attacks. */
const FIELDS = [
  {
    name: 'name',
    type: 'text',
    searchable: true,
    filterable: true,
    sortable: true,
    validation: [{ method: 'required' }],
  },
  { name: 'body', type: 'wysiwyg', searchable: true },
  { name: 'note', type: 'markdown' },
  { name: 'count', type: 'number', filterable: true, sortable: true },
  { name: 'mail', type: 'email' },
  { name: 'link', type: 'url' },
  { name: 'pin', type: 'password' },
  { name: 'tags', type: 'tag', filterable: true },
  { name: 'data', type: 'rawjson' },
  { name: 'place', type: 'latlng' },
  { name: 'day', type: 'date', filterable: true, sortable: true },
  { name: 'flag', type: 'checkbox', filterable: true },
  { name: 'code', type: 'slug' },
  { name: 'uid', type: 'uuid' },
  { name: 'ip', type: 'ipaddress' },
  { name: 'meta', type: 'meta' },
  { name: 'grid', type: 'table' },
  { name: 'price', type: 'price' },
  { name: 'range', type: 'multirange' },
  { name: 'list', type: 'textlist' },
  { name: 'active', type: 'active' },
  { name: 'created', type: 'created', sortable: true },
  { name: 'updated', type: 'updated' },
] as const;

const METHODS = { search: 'get', detail: 'get', create: 'post', update: 'put', remove: 'delete' } as const;
type Action = keyof typeof METHODS;

function addCall(project: Project, access: string, schema: string, action: Action): string {
  const name = `${access}-${schema}-${action}`;
  const id = action === 'search' || action === 'create' ? '' : `/:${schema}_id`;
  const folder = access === 'app' ? 'public/app' : access;
  project.write(`config/rest/${name}.json`, {
    title: name,
    access,
    method: METHODS[action],
    path: `/${folder}/${schema}/${action}${id}`,
    event: `system-model-${action}`,
    parameters: { schema },
  });
  return name;
}

/** The blog with its API open, a `thing` with every kind of call, and hidden fields on profiles. */
async function prepare(project: Project): Promise<void> {
  await project.cli('api', 'populate');
  const schema = { name: 'thing', singular: 'Thing', plural: 'Things', fields: FIELDS };
  project.write('config/schema/thing.json', { ...schema, relations: [{ schema: 'profile', kind: '1:1' }] });
  project.edit<{ fields: object[] }>('config/schema/profile.json', ({ fields }) => {
    fields.push({ name: 'pin', type: 'password' });
  });
  const calls: string[] = [];
  for (const access of ['public', 'app', 'user']) {
    for (const action of Object.keys(METHODS) as Action[]) {
      const name = addCall(project, access, 'thing', action);
      if (access === 'user') calls.push(name);
    }
  }
  for (const action of ['search', 'detail', 'create', 'update', 'remove'] as const)
    calls.push(addCall(project, 'user', 'comment', action));
  for (const action of ['search', 'update', 'remove'] as const) calls.push(addCall(project, 'user', 'profile', action));
  project.write('config/scope/all.json', { slug: 'all', name: 'Everything', access: 'user', calls });
}

export interface Token {
  readonly access: string;
  readonly secret: string;
}

export interface World {
  readonly site: Site;
  readonly url: string;
  /** Every line of the log so far. */
  readonly log: readonly string[];
  readonly app: { readonly clientId: string; readonly secret: string };
  readonly ann: Client;
  readonly ben: Client;
  /** Runs the dialog and the exchange with these scopes. */
  authorize(user: Client, scope?: string): Promise<Token>;
  close(): Promise<void>;
}

const REDIRECT = 'https://app.example/cb?keep=1';

/** Two users, an app of Ann's and an article, on a running site with a recorded log. */
export async function startWorld(
  change: (project: Project) => unknown = () => {},
  mode: BootOptions['mode'] = 'test',
): Promise<World> {
  const site = await boot({
    mode,
    env: { TREADLE_SECRET: 'a secret of the tests, of enough characters' },
    settings: { limits: { perMinute: 1_000_000 } },
    async change(project) {
      await prepare(project);
      await change(project);
    },
  });
  await addArticle(site);
  const ann = site.browser();
  await ann.signUp('Ann', 'ann@example.org');
  const ben = site.browser();
  await ben.signUp('Ben', 'ben@example.org');
  const created = await site.app.emit('app-create', {
    title: 'Reader',
    owner: 1,
    redirect_uris: [REDIRECT],
    scopes: ['profile_read', 'all'],
  });
  const app = {
    clientId: String(created.getResults('client_id')),
    secret: String(created.getResults('client_secret')),
  };
  return {
    site,
    url: site.url,
    log: site.log,
    app,
    ann,
    ben,
    async authorize(user, scope = 'profile_read,all') {
      const path = `/dialog/request?client_id=${app.clientId}&scope=${encodeURIComponent(scope)}`;
      const shown = await user.post(path, { action: 'allow', 'permissions[]': scope.split(',') });
      const code = new URL(shown.location).searchParams.get('code') ?? '';
      const query = `client_id=${app.clientId}&client_secret=${app.secret}&code=${code}`;
      const { results } = (await ask(`${site.url}/rest/access?${query}`, { method: 'POST' })).json();
      return { access: results.access_token, secret: results.access_secret };
    },
    close: () => site.close(),
  };
}

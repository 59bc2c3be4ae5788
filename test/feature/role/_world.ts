import type { Row } from '../../../src/database/row-statement.ts';
import type { Client } from '../../client.ts';
import type { Project } from '../../project.ts';
import { startWorld, type World } from '../../security/_world.ts';
import { writeRoles } from './_site.ts';

/** Random numbers of a seed. @see mulberry32 */
export function createRandom(seed: number) {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
  return {
    below: (most: number): number => Math.floor(next() * most),
    pick: <T>(list: readonly T[]): T => list[Math.floor(next() * list.length)] as T,
    chance: (share: number): boolean => next() < share,
  };
}
export type Random = ReturnType<typeof createRandom>;

export const ACTIONS = ['search', 'detail', 'create', 'update', 'remove', 'restore', 'import', 'link'] as const;
export type Action = (typeof ACTIONS)[number];
/** A rule as a role's file has it. */
export interface RuleFile {
  readonly filter?: Row;
  readonly check?: Row;
  readonly read?: readonly string[];
  readonly write?: readonly string[];
}
export type Data = Record<string, Partial<Record<Action, boolean | RuleFile>>>;
export type Roles = Record<string, Data>;

const active = [
  { name: 'active', type: 'active' },
  { name: 'created', type: 'created' },
  { name: 'updated', type: 'updated' },
];
const flags = { filterable: true, sortable: true };
const SCHEMAS = [
  {
    name: 'note',
    fields: [
      { name: 'title', type: 'text', searchable: true, required: true, ...flags },
      { name: 'secret', type: 'text', ...flags },
      { name: 'state', type: 'text', ...flags },
      { name: 'rank', type: 'number', ...flags },
      { name: 'due', type: 'datetime', ...flags },
      { name: 'hint', type: 'text', private: true, ...flags },
      ...active,
    ],
    relations: [
      { schema: 'profile', kind: '1:1' },
      { schema: 'tag', kind: 'N:N' },
    ],
  },
  {
    name: 'tag',
    fields: [
      { name: 'word', type: 'text', ...flags },
      { name: 'level', type: 'number', ...flags },
      // Tags have no owner.
      { name: 'mark', type: 'text', private: true, ...flags },
      ...active,
    ],
  },
];
export const FIELDS: Readonly<Record<string, readonly string[]>> = {
  note: ['title', 'secret', 'state', 'rank', 'due', 'hint'],
  tag: ['word', 'level', 'mark'],
  profile: ['name', 'team', 'phone'],
};
/** Only the row's owner, and rules that name them, show these. */
export const PRIVATE: readonly string[] = ['note_hint', 'tag_mark', 'profile_phone'];
const PRIVATE_FIELDS: Readonly<Record<string, string>> = { note: 'hint', tag: 'mark', profile: 'phone' };
const STATES = ['open', 'draft', 'done'];
const TEAMS = ['red', 'blue'];

/** Rules of the roles, drawn by chance. */
export function drawRoles(random: Random): Roles {
  const filters: Record<string, readonly Row[]> = {
    note: [
      { note_state: 'open' },
      { profile_id: '$me.profile_id' },
      { note_rank: { gte: 3 } },
      { note_state: { ne: '$me.profile_team' } },
      { note_due: { lte: '$now' } },
      { note_secret: { in: ['s1', 's2'] }, profile_id: '$me.profile_id' },
      { note_state: { in: '$me.roles' } },
      { note_hint: 'hint-1' },
    ],
    tag: [{ tag_level: { lt: 3 } }, { tag_word: 'wool' }, { tag_mark: { ne: 'mark-1' } }],
    profile: [
      { profile_id: '$me.profile_id' },
      { profile_team: '$me.profile_team' },
      { profile_team: 'red' },
      { profile_phone: '$me.profile_phone' },
    ],
  };
  const columns = (schema: string): string[] => {
    const own = FIELDS[schema] ?? [];
    if (random.chance(0.3)) return ['*', `-${random.pick(own)}`];
    // All that is open, and by its name what is not.
    if (random.chance(0.3)) return ['*', PRIVATE_FIELDS[schema] ?? ''];
    return [
      ...own.filter(() => random.chance(0.6)),
      ...(schema === 'note' && random.chance(0.7) ? ['profile_id'] : []),
    ];
  };
  const rule = (schema: string): boolean | RuleFile => {
    if (random.chance(0.2)) return true;
    if (random.chance(0.05)) return false;
    return {
      ...(random.chance(0.7) ? { filter: random.pick(filters[schema] ?? []) } : {}),
      ...(random.chance(0.15) ? { check: random.pick(filters[schema] ?? []) } : {}),
      ...(random.chance(0.5) ? { read: columns(schema) } : {}),
      ...(random.chance(0.5)
        ? { write: ['title', 'word', 'name'].filter((name) => FIELDS[schema]?.includes(name)).concat(columns(schema)) }
        : {}),
    };
  };
  const roles: Roles = {};
  // A schema that no role names is open, but for what is private.
  const ruled = Object.keys(FIELDS).filter((schema) => random.chance({ note: 0.85, tag: 0.85 }[schema] ?? 0.8));
  for (const slug of ['guest', 'user', 'app', 'one', 'two']) {
    const data: Data = {};
    for (const schema of ruled) {
      if (schema === 'profile' && !random.chance(0.6)) continue;
      const actions: Data[string] = {};
      for (const action of ACTIONS) if (random.chance(0.7)) actions[action] = rule(schema);
      data[schema] = actions;
    }
    roles[slug] = data;
  }
  return roles;
}

/** Actions that fire hooks. Of each kind there is a hook that sends whole rows, and one that names its columns. */
export const HOOKED = ['create', 'update', 'remove', 'restore'] as const;
const HOOKS = ['whole', 'naming'] as const;
/** The columns that a naming hook sends: a private one is among them, of the row and of its profile. */
export const HOOK_FIELDS = (schema: string): readonly string[] =>
  ({ note: ['note_id', 'note_title', 'note_hint', 'profile_phone'], tag: ['tag_id', 'tag_mark'] })[schema] ?? [
    'profile_id',
    'profile_phone',
  ];

const METHODS = {
  search: ['get', ''],
  detail: ['get', '/:ID'],
  create: ['post', ''],
  update: ['put', '/:ID'],
  remove: ['delete', '/:ID'],
  restore: ['post', '/:ID'],
  import: ['post', ''],
} as const;

function writeConfig(project: Project, roles: Roles): void {
  const write = (file: string, data: unknown): void => project.write(`config/${file}`, data);
  for (const schema of SCHEMAS)
    write(`schema/${schema.name}.json`, { singular: schema.name, plural: `${schema.name}s`, ...schema });
  project.edit<{ fields: Row[] }>('config/schema/profile.json', ({ fields }) => {
    for (const field of fields) if (field.name === 'name') Object.assign(field, flags);
    fields.push({ name: 'team', type: 'text', ...flags }, { name: 'phone', type: 'text', private: true, ...flags });
  });
  for (const schema of Object.keys(FIELDS))
    for (const action of HOOKED)
      for (const kind of HOOKS)
        write(`webhook/${schema}-${action}-${kind}.json`, {
          title: `${schema} ${action}`,
          event: `system-model-${action}`,
          parameters: { schema },
          type: `${schema}.${action}`,
          audience: 'app',
          ...(kind === 'naming' ? { fields: HOOK_FIELDS(schema) } : {}),
        });
  const calls: string[] = [];
  const call = (kind: string, schema: string, action: string, more: Row): void => {
    const access = kind === 'own' ? 'user' : kind;
    const name = `${kind}-r-${schema}-${action}`;
    if (access === 'user') calls.push(name);
    write(`rest/${name}.json`, {
      title: name,
      access,
      open: true,
      ...more,
      ...(access === 'user' ? { own: kind === 'own' } : {}),
    });
  };
  for (const kind of ['public', 'app', 'user', 'own']) {
    const folder = `/${kind}/r`;
    // Tags are nobody's own.
    for (const schema of Object.keys(FIELDS).filter((name) => kind !== 'own' || name !== 'tag'))
      for (const [action, [method, id]] of Object.entries(METHODS))
        call(kind, schema, action, {
          method,
          path: `${folder}/${schema}/${action}${id.replace('ID', `${schema}_id`)}`,
          event: `system-model-${action}`,
          parameters: { schema },
          ...(action === 'search' ? { aggregate: ['group', 'sum', 'count', 'least'] } : {}),
        });
    call(kind, 'note', 'link', {
      method: 'post',
      path: `${folder}/note/link`,
      event: 'system-relation-link',
      parameters: { schema1: 'note', schema2: 'tag' },
    });
  }
  project.edit<{ calls: string[] }>('config/scope/all.json', (scope) => void scope.calls.push(...calls));
  writeRoles(
    project,
    Object.entries(roles).map(([slug, data]) => ({
      slug,
      permissions: slug === 'one' || slug === 'two' ? ['all:/admin/system/model/**'] : [],
      data,
    })),
  );
  project.addController(
    'door',
    `export default function door(app) {
      app.all('/door/:door', async (request, response) => {
        const event = request.getStage('door');
        request.removeStage('door');
        await app.emit(event, request, response);
      });
    }\n`,
  );
}

export interface Person {
  readonly name: string;
  readonly roles: readonly string[];
  readonly browser: Client;
  readonly token: string;
  readonly authId: number;
  readonly profileId: number;
}

export interface RoleWorld {
  readonly world: World;
  readonly people: readonly Person[];
  readonly roles: Roles;
  /** Every row of a table, as it is stored. */
  rows(table: string): Promise<Row[]>;
}

/** A site with these rules and no notes and tags. */
export const startEmptyWorld = async (
  roles: Roles,
  change: (project: Project) => void = () => {},
): Promise<{ readonly world: World }> => ({
  world: await startWorld((project) => {
    writeConfig(project, roles);
    change(project);
  }),
});

/** A site with these rules, people of several roles, and rows. */
export async function startRoleWorld(roles: Roles, random: Random): Promise<RoleWorld> {
  const world = await startWorld((project) => writeConfig(project, roles));
  const { kysely } = world.site.app.services.database;
  const people: Person[] = [];
  for (const [index, held] of [[], ['one'], ['two'], ['one', 'two'], ['admin']].entries()) {
    const name = `p${index}`;
    const browser = world.site.browser();
    await browser.signUp(name, `${name}@example.org`);
    await kysely
      .updateTable('treadle_auth')
      .set({ auth_type: held.join(' ') })
      .where('auth_slug', '=', `${name}@example.org`)
      .execute();
    const auth = (await kysely
      .selectFrom('treadle_auth')
      .selectAll()
      .where('auth_slug', '=', `${name}@example.org`)
      .executeTakeFirst()) as Row;
    const { access: token } = await world.authorize(browser);
    people.push({
      name,
      roles: held,
      browser,
      token,
      authId: Number(auth.auth_id),
      profileId: Number(auth.profile_id),
    });
  }
  const { app } = world.site;
  for (const { profileId } of people)
    await app.emit('system-model-update', {
      schema: 'profile',
      profile_id: profileId,
      profile_team: random.pick([...TEAMS, null]),
      profile_phone: drawPhone(random),
    });
  for (let index = 0; index < 24; index += 1) {
    await app.emit('system-model-create', {
      schema: 'note',
      ...drawNote(random),
      profile_id: random.pick(people).profileId,
    });
    if (index < 8) await app.emit('system-model-create', { schema: 'tag', ...drawTag(random) });
  }
  for (let index = 0; index < 30; index += 1)
    await app.emit('system-relation-link', {
      schema1: 'note',
      schema2: 'tag',
      note_id: 1 + random.below(24),
      tag_id: 1 + random.below(8),
    });
  const keys: Record<string, string> = { note: 'note_id', tag: 'tag_id', profile: 'profile_id', note_tag: 'note_id' };
  return {
    world,
    people,
    roles,
    async rows(table) {
      const stored = (await kysely
        .selectFrom(table)
        .selectAll()
        .orderBy(keys[table] as string)
        .execute()) as Row[];
      return stored.map(({ profile_pin: _, ...row }) => row);
    },
  };
}

export const drawNote = (random: Random): Row => ({
  note_title: `${random.pick(['wool', 'linen', 'silk'])} ${random.below(5)}`,
  note_secret: random.pick(['s1', 's2', 's3']),
  note_state: random.pick([...STATES, 'one', 'red']),
  note_rank: random.below(6),
  note_due: random.pick(['2020-01-01 00:00:00', '2090-01-01 00:00:00']),
  note_hint: `hint-${random.below(3)}`,
});
export const drawTag = (random: Random): Row => ({
  tag_word: random.pick(['wool', 'silk']),
  tag_level: random.below(5),
  tag_mark: `mark-${random.below(3)}`,
});
export const drawPhone = (random: Random): string => `phone-${random.below(3)}`;

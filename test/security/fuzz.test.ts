import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type Answer, ask } from '../client.ts';
import { startWorld, type World } from './_world.ts';

/** No request may cause a server error or reveal internals. */
const test = suite('security: fuzz');

const COUNT = Number(process.env.FUZZ_COUNT ?? 2000);
const SEED = Number(process.env.FUZZ_SEED ?? 20260311);

/** mulberry32: the same seed sends the same requests. */
function createDraw(seed: number) {
  let state = seed;
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const pick = <T>(list: readonly T[]): T => list[Math.floor(next() * list.length)] as T;
  return { next, pick, isOften: (share: number) => next() < share };
}
type Draw = ReturnType<typeof createDraw>;

const TEXTS: readonly string[] = [
  ...[
    '',
    ' ',
    '0',
    '-1',
    '1',
    '2',
    '1.5',
    '1e9',
    'NaN',
    'Infinity',
    '1e400',
    '0x10',
    '٣',
    '９',
    '999999999999999999999',
  ],
  ...[
    'null',
    'undefined',
    'true',
    '[]',
    '{}',
    '[object Object]',
    'any',
    'DESC',
    '*',
    '%',
    '_',
    '\\',
    "'",
    '"',
    '`',
    ';',
  ],
  ...[
    "' OR 1=1--",
    "');DROP TABLE article;--",
    '1) UNION SELECT auth_password FROM treadle_auth--',
    'article_title;--',
  ],
  ...[
    'a b c d e f g h i j k l m n o p q r s t u v w',
    '<script>alert(1)</script>',
    '"><svg/onload=alert(1)>',
    '{{7*7}}',
  ],
  ...['{{constructor.constructor "x"}}', '{{{x}}}', '../../../etc/passwd', '..%2f..%2f', '%2e%2e/', '%00', '%zz'],
  ...[
    '\u0000',
    'a\u0000b',
    '\r\nset-cookie: a=b',
    '\u001b[31m',
    '\u202egnp',
    '\ufeff',
    '\u2028',
    'ﬃ',
    'İ',
    'ß',
    '👩‍👩‍👧',
    'Ω'.repeat(300),
  ],
  ...[
    '__proto__',
    'constructor',
    'prototype',
    'toString',
    'valueOf',
    'hasOwnProperty',
    'then',
    'length',
    'toHTML',
    'toJSON',
  ],
  ...[
    'article',
    'comment',
    'profile',
    'thing',
    'treadle_auth',
    'sqlite_master',
    'article_id',
    'thing_name',
    '-article_created',
  ],
  ...[
    '2026-02-30',
    '0000-00-00 00:00:00',
    '9999-99-99',
    '2026-01-01T00:00:00+99:99',
    'a'.repeat(5000),
    '('.repeat(500),
    '[[',
  ],
  ...[
    'javascript:alert(1)',
    'data:text/html,x',
    '//evil.example',
    '/\\evil.example',
    'http://[::1',
    'https://a b',
    'mailto:',
  ],
  ...[
    'WyJ4Il0',
    'bnVsbA',
    'eyJhIjoxfQ',
    'W10',
    'login',
    'allow',
    'deny',
    'name',
    'password',
    'a@b.c',
    'ann@example.org',
  ],
];

const NAMES: readonly string[] = `
  q filter sort order limit offset start range after before fields columns expand total like in span null notnull page
  schema schema1 schema2 relation profile_id article_id comment_id thing_id auth_id app_id owner rows comment_detail
  profile_name csrf auth_slug auth_password auth_current confirm auth_type auth_active redirect_uri action client_id
  client_secret code code_verifier grant_type access_token access_secret scope state response_type code_challenge
  code_challenge_method permissions title website redirect_uris scopes webhook hooks thing_name thing_body thing_count
  thing_mail thing_tags thing_data thing_place thing_day thing_flag thing_meta thing_grid thing_price thing_range
  thing_list thing_pin __proto__ constructor toString x thing_link thing_code thing_note thing_active thing_uid
`
  .trim()
  .split(/\s+/);

const COLUMNS = [
  'article_title',
  'article_active',
  'thing_name',
  'thing_count',
  'thing_tags',
  'thing_day',
  'profile_id',
  'x',
];
const OPERATORS = [
  'eq',
  'ne',
  'lt',
  'gte',
  'between',
  'in',
  'nin',
  'contains',
  'starts',
  'null',
  'has',
  'toString',
  '__proto__',
  '0',
  '',
];
const TYPES = [
  'application/x-www-form-urlencoded',
  'application/json',
  'text/plain',
  'application/merge-patch+json',
  '',
];
const METHODS = ['GET', 'GET', 'GET', 'POST', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'];

const SEARCH = NAMES.slice(0, 20);

/** Names that a route with this path reads. */
function listNames(path: string): readonly string[] {
  if (/search|article|detail/.test(path)) return path.startsWith('/developer') ? NAMES : SEARCH;
  const own = /thing|comment|profile|auth|client|redirect/.exec(path)?.[0];
  if (/access|dialog/.test(path))
    return NAMES.filter((name) => /client|code|secret|token|uri|scope|state|type|method/.test(name));
  return own === undefined ? NAMES : NAMES.filter((name) => name.startsWith(own));
}

function toName(draw: Draw, names: readonly string[]): string {
  const name = draw.pick(draw.isOften(0.7) ? names : NAMES);
  if (name === 'filter' || draw.isOften(0.2)) {
    const operator = draw.isOften(0.6) ? `[${draw.pick(OPERATORS)}]` : '';
    const list = draw.pick([COLUMNS, COLUMNS, OPERATORS, TEXTS]);
    return `${name}[${draw.pick(list).slice(0, 40)}]${operator}`;
  }
  return draw.isOften(0.1) ? `${name}[]` : name;
}

function toPairs(draw: Draw, names: readonly string[]): string {
  const count = Math.floor(draw.next() ** 2 * 8);
  return Array.from({ length: count }, () => {
    const value = draw.pick(TEXTS);
    if (draw.isOften(0.05)) return `${encodeURIComponent(toName(draw, names))}=%ED%A0%80%FF`;
    return `${encodeURIComponent(toName(draw, names))}=${encodeURIComponent(value)}`;
  }).join('&');
}

function toJson(draw: Draw, depth = 0): unknown {
  const kind = draw.next();
  if (depth > 3 || kind < 0.5) return draw.pick([...TEXTS, 1, -1, 0.5, 1e308, true, false, null, '\ud800', 'x\udfff']);
  if (kind < 0.7) return Array.from({ length: Math.floor(draw.next() * 4) }, () => toJson(draw, depth + 1));
  const entries = Array.from({ length: Math.floor(draw.next() * 5) }, () => [
    draw.pick(NAMES),
    toJson(draw, depth + 1),
  ]);
  return Object.fromEntries(entries);
}

function toMultipart(draw: Draw, names: readonly string[]): string {
  const parts = Array.from({ length: Math.floor(draw.next() * 5) }, () => {
    const file = draw.isOften(0.3) ? `; filename="${draw.pick(TEXTS).replace(/["\r\n]/g, '')}"` : '';
    return `--b\r\ncontent-disposition: form-data; name="${toName(draw, names)}"${file}\r\n\r\n${draw.pick(TEXTS)}\r\n`;
  });
  return `${parts.join('')}${draw.isOften(0.8) ? '--b--\r\n' : ''}`;
}

interface Attack {
  readonly method: string;
  readonly path: string;
  readonly headers: Record<string, string>;
  readonly body?: string | Buffer;
}

function toBody(draw: Draw, names: readonly string[]): { type: string; body: string | Buffer } {
  const kind = draw.next();
  if (kind < 0.35) return { type: TYPES[0] as string, body: toPairs(draw, names) };
  if (kind < 0.75) {
    const entries = Array.from({ length: Math.floor(draw.next() * 4) }, () => [draw.pick(names), toJson(draw)]);
    const needed = names.includes('thing_name') && draw.isOften(0.8) ? { thing_name: 'x' } : {};
    const record = { ...Object.fromEntries(entries), ...needed };
    const text = JSON.stringify(draw.isOften(0.9) ? record : toJson(draw));
    const raw = text.replace('"x":', '"__proto__":').replace('"hooks":', '"toString":');
    return { type: TYPES[1] as string, body: draw.isOften(0.05) ? raw.slice(0, -1) : raw };
  }
  if (kind < 0.9) return { type: 'multipart/form-data; boundary=b', body: toMultipart(draw, names) };
  return { type: draw.pick(TYPES), body: Buffer.from([0xff, 0xfe, 0x00, 0x7b, 0x22, 0xc3, 0x28]) };
}

function toPath(draw: Draw, pattern: string): string {
  const path = pattern.replace(/:[a-z_]+|\*+/g, () => {
    if (draw.isOften(0.5)) return String(1 + Math.floor(draw.next() ** 2 * 30));
    return encodeURIComponent(draw.pick(TEXTS)) || 'x';
  });
  const bent = draw.next();
  if (bent < 0.03) return path.toUpperCase();
  if (bent < 0.06) return `${path}/`;
  if (bent < 0.08) return `/${path}`;
  if (bent < 0.1) return path.replace(/\/(?=[^/]*$)/, '%2f');
  if (bent < 0.12) return `${path}%`;
  if (bent < 0.14) return `${path}.css`;
  return path;
}

type Credentials = Readonly<Record<'none' | 'odd' | 'page' | 'user' | 'app', Record<string, string>>>;

function pickCredentials(draw: Draw, path: string, credentials: Credentials): Record<string, string> {
  if (draw.isOften(0.15)) return draw.pick(Object.values(credentials));
  if (path.startsWith('/rest/user')) return credentials.user;
  if (path.startsWith('/rest/public/app')) return credentials.app;
  return path.startsWith('/rest') ? credentials.none : credentials.page;
}

function toAttack(draw: Draw, routes: readonly Route[], credentials: Credentials): Attack {
  const route = draw.pick(routes);
  const method = route.method === 'ALL' || draw.isOften(0.1) ? draw.pick(METHODS) : route.method;
  const names = listNames(route.path);
  const query = toPairs(draw, names);
  const path = `${toPath(draw, route.path)}${query === '' ? '' : `?${query}`}`;
  const headers = { ...pickCredentials(draw, route.path, credentials) };
  if (draw.isOften(0.3)) headers.accept = draw.pick(['application/json', 'text/html', '*/*', '\u00ff']);
  if (draw.isOften(0.1)) headers['if-none-match'] = draw.pick(['*', '"x"', 'W/"', ',,,']);
  if (draw.isOften(0.1)) headers['x-forwarded-for'] = draw.pick(['1.2.3.4', '::1', "'", ',']);
  if (draw.isOften(0.1)) headers.range = draw.pick(['bytes=0-1', 'bytes=9-1', 'bytes=-', 'x']);
  if (method === 'GET' || method === 'HEAD' || method === 'OPTIONS') return { method, path, headers };
  const { type, body } = toBody(draw, draw.isOften(0.8) ? names : NAMES);
  if (type !== '') headers['content-type'] = type;
  return { method, path, headers, body };
}

/** Internals: a stack, a path on the disk, a statement, an error of the engine. */
const INSIDE =
  /\bat [\w.<>]+ \(|node:internal|node_modules|\/src\/|SQLITE_(?:ERROR|BUSY|CONSTRAINT|MISMATCH|RANGE|TOOBIG)|SqliteError|near ".*": syntax|[sS]elect .+ from /;

let world: World;

test.before(async () => {
  world = await startWorld();
});

test.after(() => world.close());

interface Route {
  readonly method: string;
  readonly path: string;
}

function listRoutes(): Route[] {
  const routes = world.site.app.plan.bus.list().flatMap(({ event }): Route[] => {
    const [, method, path] = /^([A-Z]+) (\/\S*)$/.exec(event) ?? [];
    return method === undefined || path === undefined ? [] : [{ method, path }];
  });
  // Hashing takes a third of a second each, and the attacker must stay logged in.
  return routes.filter(({ path }) => !/^\/auth\/(?:signup|login|logout)$|profile\/remove|app\/re/.test(path));
}

test('gives no server error, and shows no internals', async () => {
  const { ann, site, url } = world;
  const token = await world.authorize(ann);
  const cookie = ann.cookie();
  const basic = Buffer.from(`${world.app.clientId}:${world.app.secret}`).toString('base64');
  const credentials: Credentials = {
    none: {},
    odd: { authorization: 'Basic /w==', cookie: 'sid=%; sid; =; __proto__=1' },
    page: { cookie, 'sec-fetch-site': 'same-origin' },
    user: { authorization: `Bearer ${token.access}`, cookie },
    app: { authorization: `Basic ${basic}` },
  };
  for (let count = 0; count < 30; count += 1)
    await site.app.emit('system-model-create', { schema: 'thing', thing_name: 'x', profile_id: 1 });
  const draw = createDraw(SEED);
  const routes = listRoutes();
  const faults: string[] = [];
  const statuses = new Map<number, number>();
  const look = ({ status, text }: Answer, attack: Attack): void => {
    statuses.set(status, (statuses.get(status) ?? 0) + 1);
    const isInside = status !== 200 && INSIDE.test(text);
    if (status >= 500 || isInside) faults.push(`${status} ${JSON.stringify(attack)} ${text.slice(0, 200)}`);
  };
  let left = COUNT;
  const work = async (): Promise<void> => {
    while (left > 0) {
      left -= 1;
      const attack = toAttack(draw, routes, credentials);
      look(await ask(url + attack.path, attack), attack);
    }
  };
  await Promise.all(Array.from({ length: 8 }, work));
  if (process.env.FUZZ_COUNT) console.log(statuses, faults.length);
  assert.is(
    faults.length,
    0,
    [...faults.slice(0, 5), ...world.log.filter((line) => /"level":"error"/.test(line)).slice(0, 5)].join('\n'),
  );
  assert.is(Object.keys(Object.prototype).length, 0);
  assert.is(({} as { polluted?: unknown }).polluted, undefined);
  const alive = await site.browser().get('/articles');
  assert.is(alive.status, 200);
});

test.run();

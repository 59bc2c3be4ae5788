// Requests generated from an OpenAPI document: valid ones, and ones broken in every way.

/** mulberry32: the same seed makes the same requests. */
export function createDraw(seed) {
  let state = seed;
  const next = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (count) => Math.floor(next() * count);
  return { next, below, pick: (list) => list[below(list.length)], chance: (share) => next() < share };
}

const BAD_TEXTS = [
  ...[
    '',
    ' ',
    '\0',
    '\u202e',
    '\ud800',
    '𝒳\u0301',
    '٣',
    '９',
    'null',
    'undefined',
    'NaN',
    '[object Object]',
    '{{7*7}}',
  ],
  ...[
    "'; drop table thing; --",
    '"',
    '\\',
    '%',
    '_',
    '../../etc/passwd',
    '<script>alert(1)</script>',
    '#{x}',
    '%00',
    '%ff',
  ],
  ...['0', '-1', '1e400', '-0', '0x10', '999999999999999999999', '1.5', '9007199254740993', 'true', 'DESC', 'any'],
  ...[
    '2026-02-30',
    '2026-01-15T09:30:00Z',
    '24:00:00',
    'ann@',
    'http://',
    'javascript:alert(1)',
    'data:image/png;base64,x',
  ],
  'x'.repeat(300),
  'é'.repeat(5000),
];
const BAD_VALUES = [
  null,
  true,
  false,
  0,
  -1,
  1.5,
  1e308,
  -1e-308,
  2 ** 53,
  [],
  {},
  [[]],
  [null],
  { a: { b: 1 } },
  '',
  'x',
];
const BAD_KEYS = [
  '',
  'x',
  '__proto__',
  'constructor',
  'toString',
  'thing_id',
  'schema',
  'a.b',
  'a[b]',
  '$ref',
  '\u0000',
  'é',
];

const resolve = (document, node) => {
  if (node?.$ref === undefined) return node ?? {};
  return node.$ref
    .slice(2)
    .split('/')
    .reduce((at, key) => at[decodeURIComponent(key)], document);
};

const TEXTS = {
  email: 'ann@example.org',
  uri: 'https://example.org/x',
  date: '2026-01-15',
  uuid: '1f0e8c52-7f0a-4b5c-9a53-6f0a1c2d3e4f',
};

function makeText(schema, draw) {
  if (schema.format in TEXTS) return TEXTS[schema.format];
  if (schema.examples?.length) return draw.pick(schema.examples);
  if (/\(\\d|\[0-9\]|\\d\{/.test(schema.pattern ?? ''))
    return draw.pick(['2026-01-15', '09:30:00', '2026-01-15 09:30:00', '1;5']);
  const text = draw.pick(['a', 'Ann', 'Some words', 'été', '日本', '#0a5c66', '1']);
  return text.padEnd(schema.minLength ?? 0, 'x').slice(0, schema.maxLength ?? 1000);
}

function makeNumber(schema, draw, isWhole) {
  const least = schema.minimum ?? (schema.exclusiveMinimum ?? -1) + 1;
  const most = schema.maximum ?? (schema.exclusiveMaximum ?? least + 50) - 1;
  const value = least + draw.next() * Math.min(50, Math.max(0, most - least));
  return isWhole ? Math.round(value) : Number(value.toFixed(2));
}

function makeObject(document, schema, draw, depth) {
  const required = new Set(schema.required ?? []);
  const names = Object.keys(schema.properties ?? {}).filter((name) => required.has(name) || draw.chance(0.25));
  return Object.fromEntries(names.map((name) => [name, makeValue(document, schema.properties[name], draw, depth + 1)]));
}

/** A value that fits a schema, or nearly: rules that JSON Schema cannot express may refuse it. */
export function makeValue(document, given, draw, depth = 0) {
  const schema = resolve(document, given);
  if ('const' in schema) return schema.const;
  if (schema.enum) return draw.pick(schema.enum);
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices && schema.type === undefined) return makeValue(document, draw.pick(choices), draw, depth + 1);
  const type = Array.isArray(schema.type) ? draw.pick(schema.type) : schema.type;
  if (type === 'null') return null;
  if (type === 'boolean') return draw.chance(0.5);
  if (type === 'integer' || type === 'number') return makeNumber(schema, draw, type === 'integer');
  if (type === 'string') return makeText(schema, draw);
  if (depth > 6) return null;
  if (type === 'array') {
    if (schema.prefixItems) return schema.prefixItems.map((item) => makeValue(document, item, draw, depth + 1));
    const count = Math.max(schema.minItems ?? 0, draw.below(3));
    return Array.from({ length: count }, () => makeValue(document, schema.items ?? {}, draw, depth + 1));
  }
  if (type === 'object' || schema.properties) return makeObject(document, schema, draw, depth);
  return draw.pick(['x', 1, null, { a: 1 }, [1]]);
}

/** Breaks a JSON value in one place: another type, a missing part, an additional part, a huge part. */
function breakValue(value, draw) {
  const keys = typeof value === 'object' && value !== null ? Object.keys(value) : [];
  const kind = draw.below(8);
  if (kind === 0 || keys.length === 0) return draw.pick([...BAD_VALUES, draw.pick(BAD_TEXTS)]);
  const copy = structuredClone(value);
  const key = draw.pick(keys);
  if (kind === 1) delete copy[key];
  else if (kind === 2) copy[draw.pick(BAD_KEYS)] = draw.pick(BAD_VALUES);
  else if (kind === 3) copy[key] = draw.pick(BAD_TEXTS);
  else if (kind === 4) copy[key] = Array.from({ length: 300 }, () => draw.pick(BAD_VALUES));
  else if (kind === 5) copy[key] = nest(draw.pick([5, 40]));
  else if (kind === 6) copy[key] = draw.pick(BAD_VALUES);
  else copy[key] = breakValue(copy[key], draw);
  return copy;
}

const nest = (levels) => Array.from({ length: levels }).reduce((inner) => [inner], 1);

const encode = (text) => {
  try {
    return encodeURIComponent(String(text));
  } catch {
    return '%ED%A0%80';
  }
};

/** Names and values of a query or a form, with brackets for nested ones. */
function toPairs(value, prefix = '') {
  return Object.entries(value).flatMap(([key, inner]) => {
    const name = prefix === '' ? encode(key) : `${prefix}[${encode(key)}]`;
    if (typeof inner === 'object' && inner !== null) return toPairs(inner, name);
    return [`${name}=${encode(inner ?? '')}`];
  });
}

function makePath(operation, draw, isBroken) {
  return operation.path.replace(/\{([^}]+)\}/g, (_, name) => {
    if (isBroken && draw.chance(0.4)) return encode(draw.pick(BAD_TEXTS)) || 'x';
    return /_id/.test(name) ? String(1 + Math.floor(draw.next() ** 2 * 25)) : 'x';
  });
}

function makeQuery(document, operation, draw, isBroken) {
  const taken = operation.parameters.filter(
    ({ in: place, required }) => place === 'query' && (required || draw.chance(0.2)),
  );
  const query = Object.fromEntries(taken.map(({ name, schema }) => [name, makeValue(document, schema, draw)]));
  if (isBroken && draw.chance(0.5))
    query[draw.pick([...BAD_KEYS, 'limit', 'filter', 'sort', 'after', 'fields'])] = breakValue(query, draw);
  for (const [name, value] of Object.entries(query)) {
    const parameter = operation.parameters.find((entry) => entry.name === name);
    // These parameters have their own grammar: sends a valid value, or none.
    if (!isBroken && ['sort', 'after', 'before', 'fields', 'expand', 'group', 'sum', 'count'].includes(name))
      delete query[name];
    else if (isBroken && parameter && draw.chance(0.3))
      query[name] = draw.pick([...BAD_TEXTS, ...BAD_VALUES, [value, value]]);
  }
  return toPairs(query).join('&');
}

const WRONG_TYPES = [
  '',
  'text/plain',
  'application/xml',
  'application/json; charset=utf-16',
  'multipart/form-data',
  'a/b;;',
  'application/octet-stream',
];

const toMultipart = (pairs) =>
  `${pairs.map(([name, value]) => `--b\r\ncontent-disposition: form-data; name="${String(name).replace(/["\r\n]/g, '')}"\r\n\r\n${value}\r\n`).join('')}--b--\r\n`;

function makeBody(document, operation, draw, isBroken) {
  const contents = resolve(document, operation.body)?.content;
  if (!contents)
    return isBroken && draw.chance(0.3) ? { type: 'application/json', body: JSON.stringify(breakValue({}, draw)) } : {};
  const type = draw.pick(Object.keys(contents));
  let value = makeValue(document, contents[type].schema, draw);
  if (isBroken && draw.chance(0.7)) value = breakValue(value, draw);
  const record = typeof value === 'object' && value !== null ? value : { x: value };
  if (type.endsWith('urlencoded')) return { type, body: toPairs(record).join('&') };
  if (type.startsWith('multipart')) {
    return {
      type: `${type}; boundary=b`,
      body: toMultipart(
        Object.entries(record).map(([key, inner]) => [key, typeof inner === 'object' ? JSON.stringify(inner) : inner]),
      ),
    };
  }
  let text = JSON.stringify(value) ?? '';
  if (isBroken && draw.chance(0.05)) text = text.slice(0, -1);
  if (isBroken && draw.chance(0.03)) text = `{"thing_name":"${'x'.repeat(1_100_000)}"}`;
  if (isBroken && draw.chance(0.05))
    text = text.replace('{', '{"__proto__":{"a":1},"thing_number":12345678901234567890,');
  return { type, body: isBroken && draw.chance(0.05) ? Buffer.from([0xff, 0xfe, 0x7b, 0xc3, 0x28]) : text };
}

function addHeaders(headers, draw, isBroken) {
  if (draw.chance(0.1)) headers['if-none-match'] = draw.pick(['*', '"x"', 'W/"x"', ',,,']);
  if (draw.chance(0.05)) headers['if-match'] = draw.pick(['*', '"x"', 'W/"x"', 'x']);
  if (draw.chance(0.1))
    headers['idempotency-key'] = draw.pick(['a', 'b', `k${draw.below(1e6)}`, '"quoted"', 'é', 'x'.repeat(300)]);
  if (draw.chance(0.05)) headers.prefer = draw.pick(['return=minimal', 'return=representation', 'x;;']);
  if (draw.chance(0.1))
    headers.accept = draw.pick([
      'application/json',
      '*/*',
      'application/problem+json',
      'text/html',
      'application/json;q=0',
      ';;',
    ]);
  if (draw.chance(0.1)) headers['accept-encoding'] = draw.pick(['identity', 'x', '*;q=0']);
  if (!isBroken) return;
  if (draw.chance(0.1)) headers['content-encoding'] = draw.pick(['gzip', 'br', 'x']);
  if (draw.chance(0.1)) headers.origin = draw.pick(['null', 'https://evil.example', 'x']);
  if (draw.chance(0.1)) headers.range = draw.pick(['bytes=0-1', 'bytes=9-1', 'x']);
  if (draw.chance(0.1)) headers['x-http-method-override'] = 'DELETE';
  if (draw.chance(0.1)) headers['x-request-id'] = draw.pick(['x', 'x'.repeat(500), '<b>']);
  if (draw.chance(0.05)) headers.cookie = 'sid=%; =; __proto__=1';
}

/** Operations of a document, flat. */
export function listOperations(document) {
  return Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({
      path,
      method: method.toUpperCase(),
      id: operation.operationId,
      access: operation['x-treadle-access'],
      parameters: (operation.parameters ?? []).map((parameter) => resolve(document, parameter)),
      body: operation.requestBody,
    })),
  );
}

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS', 'TRACE', 'PROPFIND'];

function pickCredentials(operation, draw, credentials, isBroken) {
  if (isBroken && draw.chance(0.3)) return draw.pick(credentials.broken);
  return draw.pick(credentials[operation.access]);
}

/** One request to an operation; this `share` is broken, mostly in one way. */
export function makeRequest(document, operations, draw, credentials, share) {
  const operation = draw.pick(operations);
  const isBroken = draw.chance(share);
  const method = isBroken && draw.chance(0.08) ? draw.pick(METHODS) : operation.method;
  const proof = pickCredentials(operation, draw, credentials, isBroken);
  const query = [makeQuery(document, operation, draw, isBroken), proof.query ?? '']
    .filter((part) => part !== '')
    .join('&');
  const headers = { ...proof.headers };
  addHeaders(headers, draw, isBroken);
  const target = `${makePath(operation, draw, isBroken)}${query === '' ? '' : `?${query}`}`;
  if (method === 'GET' || method === 'HEAD' || method === 'OPTIONS') return { operation, method, target, headers };
  const { type, body } = makeBody(document, operation, draw, isBroken);
  if (type !== undefined) headers['content-type'] = isBroken && draw.chance(0.1) ? draw.pick(WRONG_TYPES) : type;
  return { operation, method, target, headers, body };
}

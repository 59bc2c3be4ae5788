// Bodies that cost the server more than the client: what a neighbour of the attacker observes meanwhile. Issue 10, A1
// to A3: multipart floods, rich text, JSON of many keys, batches of all of it, in parallel and one after the other.
// Usage: node test/torture/withstand-bodies.mjs [--short] [--seed n] [--only word]
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { parseArgs } from 'node:util';
import { createSite, describeSeen, findFaults, measureNeighbour, send } from './_neighbour.mjs';

const { values } = parseArgs({
  options: {
    short: { type: 'boolean', default: false },
    seed: { type: 'string', default: '20261121' },
    only: { type: 'string', default: '' },
  },
});
/** In CI other storms use the processors too. */
const slack = values.short ? 16 : 1;
const only = new RegExp(values.only);

const write = (root, path, data) => writeFileSync(join(root, 'config', path), `${JSON.stringify(data, null, 2)}\n`);

/** A schema with rich text and JSON, and one with files, with public writes. */
function change(root) {
  const kinds = {
    note: { title: 'text', body: 'wysiwyg', more: 'wysiwyglist', data: 'rawjson', text: 'markdown', names: 'meta' },
    photo: { title: 'text', file: 'file' },
  };
  for (const [name, fields] of Object.entries(kinds)) {
    write(root, `schema/${name}.json`, {
      ...{ name, singular: name, plural: `${name}s` },
      fields: Object.entries(fields).map(([field, type]) => ({ name: field, type })),
    });
    for (const action of ['create', 'batch', 'search']) {
      write(root, `rest/public-${name}-${action}.json`, {
        ...{ title: `${action} ${name}`, access: 'public', method: action === 'search' ? 'get' : 'post' },
        ...{ path: `/public/${name}/${action}`, event: `system-model-${action}`, parameters: { schema: name } },
      });
    }
  }
}

const FORM = { 'content-type': 'multipart/form-data; boundary=x' };
const URLENCODED = { 'content-type': 'application/x-www-form-urlencoded' };
const JSON_TYPE = { 'content-type': 'application/json' };
const post = (path, headers, body) => (url) => send(url + path, { method: 'POST', headers, body });
const json = (path, body) => post(path, JSON_TYPE, JSON.stringify(body));
const atOnce = (count, attack) => (url) => Promise.all(Array.from({ length: count }, () => attack(url)));
const inTurn =
  (...attacks) =>
  async (url) => {
    const answers = [];
    for (const attack of attacks) answers.push(await attack(url));
    return answers;
  };

const REVIEWED = '<b>'.repeat(33_000) + '</i>'.repeat(25_000);
/** The most expensive text within the nesting limits. */
const DEEP = '<b>'.repeat(255) + 'a</i>'.repeat(39_600);
const ROWS = Array.from({ length: 5 }, () => ({ action: 'create', values: { note_body: REVIEWED } }));
const DEEP_ROWS = ROWS.map(() => ({ action: 'create', values: { note_body: DEEP } }));
const keys = (count, length = 1) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`${'k'.repeat(length)}${index}`, 1]));
const flood = Buffer.from('--x\r\n'.repeat(205_000));
const large = Buffer.from('--x\r\n'.repeat(1_980_000));
const file = Buffer.from(
  `--x\r\nContent-Disposition: form-data; name="photo_file"; filename="a.txt"\r\n\r\n${'a b '.repeat(2_400_000)}\r\n--x--\r\n`,
);
const NOTE = '/rest/public/note/create';
const BATCH = '/rest/public/note/batch';

/** Each with its allowed statuses; an empty one restarts the server, so that earlier memory does not count. */
const attacks = [
  ['multipart flood of 1 MB', post('/auth/login', FORM, flood), [413]],
  ['8 multipart floods of 1 MB', atOnce(8, post('/auth/signup', FORM, flood)), [413]],
  ['multipart flood of 9.9 MB', post('/rest/public/photo/create', FORM, large), [413]],
  ['4 multipart floods of 9.9 MB', atOnce(4, post('/rest/public/photo/create', FORM, large)), [413]],
  ['4 files of 9.6 MB', atOnce(4, post('/rest/public/photo/create', FORM, file)), [201]],
  ['1,000 nested names', post('/auth/login', URLENCODED, 'a[b][c][][]=1&'.repeat(1000).slice(0, -1)), [200, 422]],
  [
    'pairs without a sign of equality',
    post('/auth/login', URLENCODED, `${'a&'.repeat(999)}${'b'.repeat(1e6)}`),
    [200, 422],
  ],
  [],
  ['rich text of the review', json(NOTE, { note_body: REVIEWED }), [422]],
  ['batch of five of them', json(BATCH, { operations: ROWS }), [422]],
  ['rich text as dear as it gets', json(NOTE, { note_body: DEEP }), [201]],
  ['8 batches of five of them', atOnce(8, json(BATCH, { operations: DEEP_ROWS })), [200, 503]],
  ['pictures with many commas', json(NOTE, { note_body: `<img srcset="a${','.repeat(190_000)}b, 1x">` }), [201]],
  ['list of short texts', json(NOTE, { note_more: Array.from({ length: 100 }, () => DEEP.slice(0, 1990)) }), [201]],
  [],
  ['JSON of 60,000 keys', json(NOTE, { note_data: keys(60_000) }), [413]],
  // A text in a JSON document stays a text; in a form it is parsed.
  ['JSON of 60,000 keys as text', json(NOTE, { note_data: JSON.stringify(keys(60_000)) }), [201]],
  [
    'JSON of 60,000 keys in a form',
    post(NOTE, URLENCODED, `note_data=${encodeURIComponent(JSON.stringify(keys(60_000)))}`),
    [413, 422],
  ],
  ['JSON of 20,000 keys', json(NOTE, { note_data: keys(19_000) }), [201]],
  ['8 of them', atOnce(8, json(NOTE, { note_data: keys(19_000) })), [201]],
  ['90,000 unknown keys', json(NOTE, keys(90_000)), [413]],
  ['12,000 long unknown keys', json(NOTE, keys(12_000, 56)), [400, 413]],
  ['JSON of 500,000 items', json(NOTE, { note_data: Array.from({ length: 490_000 }, () => 1) }), [413]],
  ['text of many lines', json(NOTE, { note_text: '* a\n'.repeat(200_000) }), [201]],
  [
    'one after the other',
    inTurn(
      json(NOTE, { note_names: keys(19_000) }),
      json(BATCH, { operations: Array.from({ length: 100 }, () => ({ action: 'create', values: keys(190) })) }),
      json(BATCH, {
        operations: Array.from({ length: 100 }, () => ({ action: 'create', values: { note_data: keys(190) } })),
      }),
    ),
    [200, 201, 400, 413, 422],
  ],
];

const faults = [];
const site = await createSite({ change });
try {
  for (const [name, attack, statuses] of attacks.filter(([name = '']) => name === '' || only.test(name))) {
    if (name === undefined) {
      await site.stop();
      await site.start();
      continue;
    }
    const seen = await measureNeighbour(site, attack, { idleMs: values.short ? 100 : 500, afterMs: 100 });
    const answers = [seen.answer].flat();
    const others = answers.map(({ status }) => status).filter((status) => !statuses.includes(status));
    process.stdout.write(`${describeSeen(name, seen)}, ${answers.map(({ status }) => status).join(' ')}\n`);
    if (others.length > 0) faults.push(`${name}: answered ${others.join(', ')}: ${answers[0]?.text.slice(0, 300)}`);
    faults.push(...findFaults(name, seen, { slack }));
    if (seen.end) break;
  }
} finally {
  await site.close();
}
for (const fault of faults) process.stdout.write(`withstand-bodies, seed ${values.seed}: ${fault}\n`);
process.exitCode = faults.length === 0 ? 0 : 1;

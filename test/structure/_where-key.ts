// Says where a key `mood` of a REST call appears. Bundled with the key by _new-key.mjs.
import { readFileSync } from 'node:fs';
import process from 'node:process';
import { renderDefinitions } from '../../docs/generate.ts';
import { toJsonSchema } from '../../src/model/json/json-schema.ts';
import { SHAPES } from '../../src/model/shape.ts';
import { boot } from '../boot.ts';
import { createAnswers, run } from '../cli/run.ts';

const CREATE = [
  'rest',
  'create',
  'find',
  '--title',
  'T',
  '--access',
  'public',
  '--method',
  'get',
  '--path',
  '/public/find',
];
const rest = { title: 'T', access: 'public', method: 'get', path: '/t', event: 'e', mood: 'calm' };

const site = await boot({ settings: { admin: { write: true } } });
const cwd = site.project.root;
const admin = await site.as('admin', ['admin']);
const page = await admin.get('/admin/system/model/rest/create');
const { out: help } = await run(['rest', 'create', '--help'], { cwd });
await site.cli(...CREATE, '--event', 'system-model-search', '--parameter', 'schema=article');
const prompt = createAnswers([['mood'], 'loud', true]);
await run(['rest', 'update', 'find'], { cwd, isTTY: true, prompt });
const written: unknown = JSON.parse(readFileSync(`${cwd}/config/rest/find.json`, 'utf8'));
await site.close();

/** The lines of a text with the word. */
const findLines = (text: string): string =>
  text
    .split('\n')
    .filter((line) => /\bmood\b/i.test(line))
    .join('\n');

process.stdout.write(
  JSON.stringify({
    parsed: [SHAPES.rest.safeParse(rest).success, SHAPES.rest.safeParse({ ...rest, mood: 'sad' }).success],
    schema: toJsonSchema('rest'),
    help: findLines(help),
    questions: prompt.asked,
    written,
    page: findLines(page.text),
    reference: findLines(renderDefinitions()),
  }),
);

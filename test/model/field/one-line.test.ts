import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { parseName } from '../../../src/feature/auth/second-factor/passkey/register.ts';
import { toOneLine } from '../../../src/model/field/one-line.ts';
import { parseDefinition } from '../../../src/model/parse.ts';
import { boot } from '../../boot.ts';
import { readForm } from '../../form-post.ts';

const test = suite('texts of one line');

const CONTROLS = ['\n', '\r', '\t', '\u0001', '\u001b', '\u007f', '\u0085', '\u009b', '\u2028', '\u2029'];
const KINDS = ['text', 'email', 'search', 'url', 'mask', 'tag', 'textlist'] as const;
const toValue = (kind: string, control: string): unknown => {
  if (kind === 'email') return `ann${control}bob@example.org`;
  if (kind === 'url') return `https://example.org/a${control}b`;
  return kind === 'tag' || kind === 'textlist' ? ['fine', `a${control}b`] : `a${control}b`;
};

const CALL = { title: 'Note', access: 'public', method: 'post', path: '/public/note/create' };
const FILES = {
  'config/schema/note.json': {
    name: 'note',
    singular: 'Note',
    plural: 'Notes',
    fields: [...KINDS.map((type) => ({ name: type, type })), { name: 'long', type: 'textarea' }],
  },
  'config/rest/note-create.json': { ...CALL, event: 'system-model-create', parameters: { schema: 'note' } },
};

test('no way in stores a control character in a field of one line, and the message names the field', async () => {
  const site = await boot({ files: FILES, settings: { api: true } });
  try {
    for (const kind of KINDS) {
      for (const control of CONTROLS) {
        const json = { [`note_${kind}`]: toValue(kind, control) };
        const answer = await site.send('POST', '/rest/public/note/create', { json });
        const name = `${kind} ${JSON.stringify(control)}`;
        assert.is(answer.status, 422, name);
        assert.ok(Object.hasOwn(answer.json().validation, `note_${kind}`), name);
        const emitted = await site.app.emit('system-model-create', { schema: 'note', ...json });
        assert.is(emitted.getStatus(), 422, `by code: ${name}`);
      }
    }
    assert.equal(await site.rows('note'), []);
    const signup = { auth_slug: 'eve@example.org', auth_password: 'a long enough word', confirm: 'a long enough word' };
    for (const control of CONTROLS) {
      const form = { ...signup, profile_name: `Eve${control}Win now` };
      assert.is((await site.browser().post('/auth/signup', form)).status, 422, JSON.stringify(control));
    }
    const made = await site.send('POST', '/rest/public/note/create', { json: { note_long: 'a\nb\tc' } });
    assert.is(made.status, 201, 'a text of many lines has them');
  } finally {
    await site.close();
  }
});

test('no import and no cell of the admin section stores one', async () => {
  const site = await boot({ mode: 'development', files: FILES, settings: { api: true } });
  try {
    const admin = await site.as('Boss', ['admin']);
    await site.emit('system-model-create', { schema: 'note' });
    const [before] = await site.rows('note');
    for (const kind of KINDS) {
      const page = await admin.get(`/admin/system/model/note/cell/1/note_${kind}?part=1`);
      for (const control of CONTROLS) {
        const value = toValue(kind, control);
        const name = `${kind} ${JSON.stringify(control)}`;
        const rows = [{ [`note_${kind}`]: value }, { note_id: 1, [`note_${kind}`]: value }];
        const imported = await site.app.emit('system-model-import', { schema: 'note', rows });
        assert.is(imported.getStatus(), 422, `import: ${name}`);
        // A form splits a list of lines by itself.
        if (kind === 'textlist') continue;
        const typed = Array.isArray(value) ? value.join(', ') : String(value);
        const form = { ...readForm(page.text, 't-cell-form'), [`note_${kind}`]: typed };
        const saved = await admin.post(`/admin/system/model/note/cell/1/note_${kind}?part=1`, form);
        assert.is(saved.status, 422, `cell: ${name}`);
      }
    }
    assert.equal(await site.rows('note'), [before]);
  } finally {
    await site.close();
  }
});

test('a name from outside becomes one line', () => {
  for (const control of CONTROLS) assert.is(toOneLine(`${control}Ada${control}${control}Owl${control}`), 'Ada Owl');
  assert.is(toOneLine('\n\u0001'), '');
});

test('a passkey has a name of one line', () => {
  for (const control of CONTROLS)
    assert.is(parseName(`My${control}key`).fault, 'Should be one line without control characters');
  assert.is(parseName('My key').fault, undefined);
});

test('no definition has one in a title', () => {
  for (const control of CONTROLS) {
    const text = JSON.stringify({ name: `Blog${control}` });
    const { problems } = parseDefinition('settings', 'config/settings.json', text);
    assert.match(problems[0]?.message ?? '', '"name" must be one line without control characters');
  }
});

test.run();

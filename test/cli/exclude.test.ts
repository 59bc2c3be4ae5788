import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { Project } from '../project.ts';
import { run } from './run.ts';

const test = suite('cli/exclude');
const project = new Project('bare');
test.after(() => project.remove());

const read = (name = 'reservation') =>
  JSON.parse(project.read(`config/schema/${name}.json`)) as { exclude?: readonly object[] };
const tell = async (...argv: string[]): Promise<string> => {
  const { out, err } = await run(argv, { cwd: project.root, env: { CI: 'true' } });
  return out + err;
};

test('a schema shows its trees, and what its computed fields are computed of', async () => {
  await project.cli('schema', 'create', 'box', '--field', 'place:number', '--field', 'price:decimal(12,2,EUR)');
  const total = ['total:computed:sortable', '--expression', 'round(price * place, 2)', '--stored'];
  await project.cli('field', 'add', 'box', ...total);
  await project.cli('relation', 'add', 'box', '1:0', 'box', '--name', 'parent', '--tree', '--order', 'place');
  const shown = await tell('schema', 'show', 'box');
  assert.match(shown, /box_price +decimal\(12,2,EUR\)/);
  assert.match(shown, /box_total +computed +sortable stored +round\(price \* place, 2\)/);
  assert.match(shown, /a box has at most one parent, as a tree in the order of place/);
});

test('a schema is made with a rule, which is shown, changed and taken out by flags', async () => {
  await project.cli('schema', 'create', 'tool', '--field', 'name:text');
  const fields = ['--field', 'from:date', '--field', 'until:date', '--relation', 'tool=1:1'];
  await project.cli('schema', 'create', 'reservation', ...fields, '--exclude', 'tool_id:from,until');
  assert.equal(read().exclude, [{ columns: ['tool_id'], range: ['from', 'until'] }]);
  assert.match(await tell('schema', 'show', 'reservation'), /Periods that do not overlap\s+tool_id:from,until/);
  await project.cli('schema', 'update', 'reservation', '--add-exclude', 'tool_id:from,until:Taken');
  assert.equal(read().exclude, [{ columns: ['tool_id'], range: ['from', 'until'], message: 'Taken' }]);
  const json = '{"range": ["reservation_from", "until"], "message": "Closed"}';
  await project.cli('schema', 'update', 'reservation', '--add-exclude', json);
  assert.is(read().exclude?.length, 2);
  assert.match(
    await tell('schema', 'update', 'reservation', '--remove-exclude', 'tool_id:from,untill'),
    /Did you mean "tool_id:from,until"/,
  );
  await project.cli('schema', 'update', 'reservation', '--remove-exclude', 'reservation_from,until');
  assert.is(read().exclude?.length, 1);
  assert.match(
    await tell('schema', 'update', 'reservation', '--add-exclude', 'tool_id'),
    /is not columns, a colon and the two fields/,
  );
  assert.match(
    await tell('schema', 'update', 'reservation', '--add-exclude', 'tool_id:from,tool_id'),
    /cannot be the end of a period/,
  );
});

test('a rule follows renames of fields, relations and schemas, and goes with a removed field', async () => {
  const json = '{"columns": ["tool_id"], "range": ["reservation_from", "until"]}';
  await project.cli('schema', 'update', 'reservation', '--exclude', json);
  await project.cli('field', 'rename', 'reservation', 'from', 'begin');
  await project.cli('field', 'rename', 'reservation', 'until', 'end');
  assert.equal(read().exclude, [{ columns: ['tool_id'], range: ['reservation_begin', 'end'] }]);
  await project.cli('schema', 'rename', 'tool', 'machine');
  await project.cli('schema', 'rename', 'reservation', 'booking');
  assert.equal(read('booking').exclude, [{ columns: ['machine_id'], range: ['booking_begin', 'end'] }]);
  await project.cli('schema', 'copy', 'booking', 'visit', '--plural', 'Visits');
  assert.equal(read('visit').exclude, [{ columns: ['machine_id'], range: ['visit_begin', 'end'] }]);
  assert.is((await project.cli('check')).data.error ?? false, false);
  const refused = await tell('field', 'remove', 'booking', 'end', '--yes');
  assert.match(refused, /exclude\[0\]\.range\[1\]: This names "end"/);
  await project.cli('field', 'remove', 'booking', 'end', '--cascade', '--yes');
  assert.is(read('booking').exclude, undefined);
});

test('the documents of the API say which periods do not overlap', async () => {
  await project.cli('rest', 'generate', 'visit', '--access', 'public', '--action', 'search,create');
  await project.cli('docs', '--out', 'site');
  const text =
    'The periods from visit_begin to visit_end of two rows with the same machine_id do not overlap: 409, Another Visit with the same Machine has a part of this period.';
  const openapi = JSON.parse(project.read('site/openapi.json'));
  const body = openapi.components.schemas['public-visit-create-body'];
  assert.match(body.description, text);
  assert.match(project.read('site/schemas/visit.html'), text);
});

test.run();

import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createSampleData } from '../../../src/feature/webhook/sample.ts';
import { toValueSchema } from '../../../src/model/json/value-schema.ts';
import { FIELD_TYPES } from '../../../src/model/shape.ts';
import { boot } from '../../boot.ts';

const test = suite('sample of a web hook');

const options = [{ key: 'a', value: 'A' }];
/** Types of which a schema has one, or that another definition must come with. */
const BESIDES = new Set(['none', 'active', 'created', 'updated', 'fieldset', 'computed']);

test('has a value of every type that fits the schema of its column', async () => {
  const types = FIELD_TYPES.filter((type) => !BESIDES.has(type));
  const fields = types.map((type) => ({
    name: `f_${type.replace(/\W/g, '_')}`,
    type,
    ...(/select|radio|checkboxes/.test(type) ? { options } : {}),
  }));
  const site = await boot({
    template: 'none',
    files: {
      'config/schema/all.json': { name: 'all', singular: 'All', plural: 'Alls', fields },
      'config/webhook/all.json': {
        title: 'All',
        event: 'system-model-create',
        type: 'all.created',
        audience: 'app',
        parameters: { schema: 'all' },
      },
    },
  });
  const { model } = site.app.plan;
  const hook = [...model.hooks.values()].find(({ schema }) => schema === 'all');
  const schema = model.schemas.get('all');
  if (!hook || !schema) throw new Error('The project has no hook or no schema.');
  const sample = createSampleData(hook, model, site.app.services.clock.now());
  const ajv = new Ajv2020({ strict: false });
  addFormats.default(ajv);
  ajv.addFormat('decimal', true);
  const unfit = schema.row.shown
    .filter((column) => !ajv.validate({ anyOf: [toValueSchema(column), { type: 'null' }] }, sample[column.name]))
    .map((column) => `${column.name}: ${JSON.stringify(sample[column.name])}`);
  assert.equal(unfit, []);
  assert.ok(schema.row.shown.length > 40, `${schema.row.shown.length} columns`);
  const fired = await site.emit('webhook-test', { hook: hook.name });
  assert.match(String(fired.getResults('event_id')), /^msg_test_/);
  await site.close();
});

test.run();

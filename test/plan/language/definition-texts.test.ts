import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { listOwnLabels } from '../../../src/plan/language/definition-texts.ts';
import { toDefinitions } from '../../model/rename/_definitions.ts';

const test = suite("labels that only the project's files translate");

test('are short labels, written or made of names; not names themselves, nor what commands of Treadle write', () => {
  const labels = listOwnLabels(
    toDefinitions({
      'schema/event': {
        name: 'event',
        singular: 'Event',
        plural: 'Events',
        description: 'What the site sells tickets for.',
        fields: [
          { name: 'name', label: 'Name', type: 'text' },
          { name: 'last_line', type: 'text' },
          { name: 'state', label: 'State', type: 'select', options: [{ key: 'open', value: 'Open' }] },
          { name: 'active', type: 'active' },
        ],
        relations: [{ schema: 'profile', kind: '1:0', name: 'speaker' }],
      },
      'role/gate': { slug: 'gate', name: 'Gate', permissions: [] },
      'scope/job_read': { slug: 'job_read', name: 'See jobs', access: 'user', calls: [] },
    }),
  );
  const has = (text: string): boolean => labels.has(text);
  for (const text of ['Event', 'Events', 'Last line', 'State', 'Open', 'Speaker', 'Gate', 'See jobs'])
    assert.ok(has(text), text);
  for (const text of ['event', 'active', 'Active', 'Name', 'What the site sells tickets for.'])
    assert.not(has(text), text);
});

test.run();

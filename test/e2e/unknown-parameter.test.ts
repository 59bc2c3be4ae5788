// Every search of Treadle refuses a parameter that it does not know: to ignore it would answer more rows than were asked for.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { boot, type Site } from '../boot.ts';

const CODE = `
export default function people(app) {
  app.get('/people', (request, response) => app.asSystem(() => app.emit('auth-search', request, response)));
}
`;

const CALL = { title: 'Accounts', access: 'public', method: 'get', path: '/accounts', event: 'auth-search' };

const state: { site?: Site } = {};
const site = (): Site => state.site as Site;

const test = suite('e2e/unknown-parameter');
test.before(async () => {
  state.site = await boot({
    template: 'blog',
    files: {
      'app/www/src/controller/people.ts': CODE,
      'app/www/.treadle.ts':
        "import people from './src/controller/people';\nexport default function (app) { people(app); }\n",
      'config/rest/accounts.json': JSON.stringify(CALL),
    },
  });
  await site().as('Ada');
  await site().as('Ben');
});
test.after(() => site().close());

const SEARCHES = [
  'auth-search',
  'auth-session-search',
  'auth-provider-search',
  'auth-second-factor-search',
  'app-search',
  'app-request-search',
  'app-session-search',
  'app-pending-search',
  'grant-search',
  'session-search',
  'webhook-app-search',
  'webhook-delivery-search',
  'webhook-receiver-search',
  'history-search',
  'job-search',
  'mail-search',
  'slow-search',
  'system-schema-search',
];

for (const event of SEARCHES)
  test(`${event} refuses an unknown parameter`, async () => {
    const answer = await site().app.emit(event, { nonsense: 1 });
    assert.is(answer.getStatus(), 400);
    assert.match(answer.getMessage() ?? '', `"nonsense" is not a parameter of ${event}.`);
    assert.ok(answer.hasValidation('nonsense'));
  });

test('no search of Treadle is left out', () => {
  const events = site().app.plan.events.map(({ name }) => name);
  const others = events.filter((event) => event.endsWith('-search') && !SEARCHES.includes(event));
  // The first checks its parameters itself; the others are asked by Treadle only, or are of the same code as system-schema-search.
  const known = ['system-model-search', 'system-fieldset-search', 'rest-source-origin-search'];
  const inner = ['webhook-subscriber-search', 'auth-language-search'];
  assert.equal(others.sort(), [...known, ...inner].sort());
});

const FILTERS: readonly (readonly [stage: Record<string, unknown>, status: number])[] = [
  [{ filter: { auth_active: 'any' } }, 200],
  [{ filter: { profile_id: 1 } }, 400],
  [{ filter: { auth_active: 1, profile_id: 1 } }, 400],
  [{ filter: 'auth_active' }, 400],
  [{ q: '', role: undefined }, 200],
];
for (const [stage, status] of FILTERS)
  test(`auth-search with ${JSON.stringify(stage)} answers ${status}`, async () => {
    assert.is((await site().app.emit('auth-search', stage)).getStatus(), status);
  });

test('a call refuses it; the query of a page may have more', async () => {
  assert.is((await site().get('/rest/accounts?q=ada')).status, 200);
  const refused = await site().get('/rest/accounts?filter[profile_id]=1');
  assert.is(refused.status, 400);
  assert.match(refused.text, 'filter[profile_id]');
  assert.is((await site().get('/people?utm_source=x', { accept: 'application/json' })).status, 200);
});

test('an id that is none is refused, too', async () => {
  assert.is((await site().app.emit('session-search', { app_id: 'abc' })).getStatus(), 400);
  assert.is((await site().app.emit('session-search', { app_id: '1' })).getStatus(), 200);
});

test.run();

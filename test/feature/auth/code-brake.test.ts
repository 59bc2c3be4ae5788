import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { Client } from '../../client.ts';
import { createUser, type FactorSite, logIn, startFactors, step, toCode } from './_second-factor.ts';

const at: { world?: FactorSite } = {};
const world = (): FactorSite => at.world as FactorSite;

/** A browser of another network, behind the trusted proxy. */
const from = (network: number): Client =>
  new Client(world().site.url, { 'x-forwarded-for': `198.51.${Math.floor(network / 250)}.${(network % 250) + 1}` });

const brake = suite('wrong codes from many networks');
brake.before(async () => {
  at.world = await startFactors({ settings: { server: { trustProxy: true } } });
});
brake.after(() => world().site.close());

brake('a hundred in all, then one each quarter of an hour; the owner gets in by other ways', async () => {
  const { browser, email, seed, codes } = await createUser(world(), 'ann');
  const counts = new Map<number, number>();
  for (let network = 0; network < 110; network += 1) {
    const stranger = from(network);
    await logIn(stranger, email);
    const { status } = await step(stranger, '000000');
    counts.set(status, (counts.get(status) ?? 0) + 1);
  }
  assert.equal([counts.get(422), counts.get(429)], [100, 10]);
  const fresh = from(200);
  await logIn(fresh, email);
  const held = await step(fresh, toCode(seed, world().now()));
  assert.is(held.status, 429, 'a right code, too');
  assert.ok(Number(held.headers['retry-after']) > 600);
  assert.is((await fresh.post('/auth/second-factor', { recovery_code: String(codes[0]) })).status, 303);
  await browser.post('/auth/logout', {});
  await logIn(browser, email);
  assert.is((await step(browser, toCode(seed, world().now()))).status, 303, 'the known browser');
  world().shift.seconds += 901;
  const late = from(201);
  await logIn(late, email);
  assert.is((await step(late, toCode(seed, world().now()))).status, 303);
});

brake.run();

// Whether a response time tells who has an account: pairs of a known and an unknown e-mail, in seeded random order.
// Usage: node --import tsx test/bench/account-timing.mjs [trials of each] [login|signup]. Prints mean, standard deviation and Welch's t;
// below 4.5 the two cannot be told apart (the limit that dudect uses).
import process from 'node:process';
import { systemClock } from '../../src/core/clock.ts';
import { boot } from '../boot.ts';
import { ask } from '../client.ts';

const TRIALS = Number(process.argv[2] ?? 1000);
const ONLY = process.argv[3];
const PASSWORD = 'a long enough word';
// Before each pair the clock moves on, so that no throttle answers in place of the login.
const shift = { seconds: 0 };
const clock = { now: () => Date.now() + shift.seconds * 1000, after: systemClock.after };
const site = await boot({ mode: 'development', settings: { auth: { signup: true, verify: true } }, clock });
const KNOWN = 'known@example.org';
await site.emit('auth-create', { auth_slug: KNOWN, auth_password: PASSWORD, profile_name: 'Known', auth_verified: 1 });

/** A seeded generator (mulberry32). */
function createRandom(seed) {
  const state = { at: seed };
  return () => {
    state.at = (state.at + 0x6d2b79f5) | 0;
    const first = Math.imul(state.at ^ (state.at >>> 15), 1 | state.at);
    const second = (first + Math.imul(first ^ (first >>> 7), 61 | first)) ^ first;
    return ((second ^ (second >>> 14)) >>> 0) / 4_294_967_296;
  };
}
const random = createRandom(13);

async function time(path, form, status) {
  const begun = performance.now();
  const answer = await ask(site.url + path, { form, headers: { 'sec-fetch-site': 'same-origin' } });
  const took = performance.now() - begun;
  if (answer.status !== status) throw new Error(`${path}: ${answer.status} ${answer.text.slice(0, 400)}`);
  return took;
}

const login = (email) => time('/auth/login', { auth_slug: email, auth_password: 'not the right word' }, 401);
const signup = (email) => {
  const passwords = { auth_password: PASSWORD, confirm: PASSWORD };
  return time('/auth/signup', { profile_name: 'Somebody', auth_slug: email, ...passwords }, 200);
};

const mean = (list) => list.reduce((sum, value) => sum + value, 0) / list.length;
const variance = (list) => {
  const middle = mean(list);
  return list.reduce((sum, value) => sum + (value - middle) ** 2, 0) / (list.length - 1);
};
const toText = (name, list) => `${name} ${mean(list).toFixed(2)} ms ± ${Math.sqrt(variance(list)).toFixed(2)}`;

async function compare(name, run) {
  const times = { known: [], unknown: [] };
  for (let trial = -20; trial < TRIALS; trial += 1) {
    shift.seconds += 7200;
    const other = `nobody-${name}-${trial + 100_000}@example.org`;
    const order = random() < 0.5 ? ['known', 'unknown'] : ['unknown', 'known'];
    for (const kind of order) {
      const took = await run(kind === 'known' ? KNOWN : other);
      if (trial >= 0) times[kind].push(took);
    }
  }
  const { known, unknown } = times;
  const t = (mean(known) - mean(unknown)) / Math.sqrt((variance(known) + variance(unknown)) / TRIALS);
  const figures = `${toText('known', known)}, ${toText('unknown', unknown)}, Welch t ${t.toFixed(2)}`;
  process.stdout.write(`${name}, ${TRIALS} of each: ${figures}\n`);
}

if (ONLY !== 'signup') await compare('login', login);
if (ONLY !== 'login') await compare('signup', signup);
await site.close();

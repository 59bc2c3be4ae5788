import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type Answered, type PrivateWorld, startPrivateWorld } from './_private.ts';

/** Private fields by every reader: for the row's owner, for others, for a role that names them, for an administrator. */
const test = suite('roles: private fields');

/** A role that names private fields in its own rules, and leaves the schemas as open as they are without rules. */
const all = { search: true, detail: true, create: true, update: true };
const named = (field: string) => ({ search: { read: ['*', field] }, detail: { read: ['*', field] } });
const RULED = {
  guest: { profile: all, review: all, club: all },
  clerk: { profile: named('phone'), review: named('review_note'), club: named('key') },
};
const WORLDS = { 'without rules': {}, 'with rules that name them': RULED };

type Person = 'visitor' | 'app' | 'ann' | 'ben' | 'cleo' | 'ada';
const PEOPLE: readonly Person[] = ['visitor', 'app', 'ann', 'ben', 'cleo', 'ada'];
/** Owners of rows. */
const OWNERS = ['ann', 'ben'] as const;

/** Whether somebody should see what is private in a row of an owner; without an owner, of a club. */
function sees(person: Person, owner: string | undefined, isRuled: boolean): boolean {
  return person === 'ada' || (isRuled && person === 'cleo') || person === owner;
}

const folder = (person: Person): string =>
  person === 'visitor' ? '/rest/public/ppublic' : person === 'app' ? '/rest/app/papp' : '/rest/user/puser';
const tokenOf = (person: Person): string | undefined => (person === 'visitor' || person === 'app' ? undefined : person);

/** The doors to a search and a detail: a call, and an event in a page's request. */
const DOORS = {
  call: {
    search: (world: PrivateWorld, person: Person, schema: string, query: string) =>
      world.call(`${folder(person)}/${schema}/search?${query}`, tokenOf(person)),
    detail: (world: PrivateWorld, person: Person, schema: string, id: number) =>
      world.call(`${folder(person)}/${schema}/detail/${id}`, tokenOf(person)),
  },
  page: {
    search: (world: PrivateWorld, person: Person, schema: string, query: string) =>
      world.emit('system-model-search', { schema, ...Object.fromEntries(new URLSearchParams(query)) }, tokenOf(person)),
    detail: (world: PrivateWorld, person: Person, schema: string, id: number) =>
      world.emit('system-model-detail', { schema, [`${schema}_id`]: id }, tokenOf(person)),
  },
};

/** The private values that an answer holds. */
const listShown = ({ text }: Answered): string[] => [...new Set(text.match(/\b(?:P-|N-|K-)\w+/g) ?? [])].sort();

for (const [label, rules] of Object.entries(WORLDS)) {
  const isRuled = rules !== WORLDS['without rules'];
  const state = {} as { world: PrivateWorld };

  test(`${label}: a world`, async () => {
    state.world = await startPrivateWorld(rules);
  });

  for (const [door, { search, detail }] of Object.entries(DOORS))
    test(`${label}: a search and a detail by ${door} show each row's private values to whom they belong`, async () => {
      const { world } = state;
      for (const person of PEOPLE) {
        if (door === 'page' && person === 'app') continue;
        const may = (owner: string | undefined) => sees(person, owner, isRuled);
        const owned = ['ada', 'ann', 'ben', 'cleo'].filter(may);
        const phones = owned.map((name) => `P-${name}`);
        const notes = owned.map((name) => `N-${name}`);
        const key = may(undefined) ? ['K-CLUB'] : [];
        const told = `${person} by ${door}`;
        assert.equal(listShown(await search(world, person, 'profile', 'limit=20')), phones, `${told}: profiles`);
        const reviews = await search(world, person, 'review', 'limit=20');
        assert.equal(listShown(reviews), [...notes, ...phones].sort(), `${told}: reviews with their profiles`);
        assert.is(reviews.results.rows.length, 4, `${told}: every row`);
        assert.equal(listShown(await search(world, person, 'club', 'limit=20')), key, `${told}: clubs`);
        const expanded = await search(world, person, 'club', 'limit=20&expand=profile,review');
        assert.equal(listShown(expanded), [...key, ...notes, ...phones].sort(), `${told}: clubs with their lists`);
        const club = await detail(world, person, 'club', 1);
        assert.equal(listShown(club), [...key, ...notes, ...phones].sort(), `${told}: a club with its lists`);
        for (const owner of OWNERS) {
          const id = world.profiles[owner] ?? 0;
          const own = may(owner) ? [`P-${owner}`] : [];
          const one = await search(world, person, 'profile', `filter[profile_id]=${id}`);
          assert.equal(listShown(one), own, `${told}: the profile of ${owner}`);
          // A user call takes its own user's profile for the key.
          const isKept = door === 'call' && !['visitor', 'app', owner].includes(person);
          if (!isKept) assert.equal(listShown(await detail(world, person, 'profile', id)), own, `${told}: ${owner}`);
          const review = await detail(world, person, 'review', owner === 'ann' ? 1 : 2);
          const both = may(owner) ? [`N-${owner}`, `P-${owner}`] : [];
          assert.equal(listShown(review), both, `${told}: the review of ${owner}`);
        }
      }
    });

  test(`${label}: nobody else filters, sorts, groups, sums or searches by a private field`, async () => {
    const { world } = state;
    const asked = [
      ['profile', 'filter[profile_phone]=P-ann'],
      ['profile', 'filter[profile_phone][starts]=P'],
      ['profile', 'sort=profile_phone'],
      ['profile', 'group=profile_phone'],
      ['profile', 'count=profile_phone'],
      ['profile', 'like[profile_phone]=P-a'],
      ['profile', 'notnull=profile_phone'],
      ['review', 'filter[profile_phone]=P-ann'],
      ['review', 'filter[review_note]=N-ann'],
      ['review', 'filter[profile.profile_phone]=P-ann'],
      ['review', 'sort=profile_phone'],
      ['review', 'group=profile_phone'],
      ['club', 'filter[profile.profile_phone]=P-ann'],
      ['club', 'filter[review.review_note]=N-ann'],
      ['club', 'filter[club_key]=K-CLUB'],
      ['profile', 'filter[review.review_note]=N-ann'],
    ] as const;
    for (const person of PEOPLE)
      for (const [schema, query] of asked) {
        const { status, text } = await DOORS.call.search(world, person, schema, query);
        const isOpen = person === 'ada' || (isRuled && person === 'cleo');
        if (isOpen) assert.is.not(status, 500, `${person} ${schema} ${query}: ${text}`);
        else assert.is(status, 400, `${person} ${schema} ${query}: ${text.slice(0, 200)}`);
        if (!isOpen) assert.equal(listShown({ text: text.replaceAll(query.split('=')[1] ?? '', '') } as Answered), []);
      }
    assert.is((await DOORS.call.search(world, 'ada', 'club', 'filter[profile.profile_phone]=P-ann')).results.total, 1);
    for (const q of ['P-ann', 'N-ann', 'K-CLUB'])
      assert.is((await DOORS.call.search(world, 'visitor', 'review', `q=${q}`)).results.total ?? 0, 0, q);
  });

  test(`${label}: a call held to own rows shows them whole, and asks by their private fields`, async () => {
    const { world } = state;
    for (const person of OWNERS) {
      const at = '/rest/user/pmine';
      const id = world.profiles[person] ?? 0;
      const both = [`N-${person}`, `P-${person}`];
      assert.equal(listShown(await world.call(`${at}/profile/detail/${id}`, person)), [`P-${person}`]);
      assert.equal(listShown(await world.call(`${at}/review/search`, person)), both);
      const asked = await world.call(`${at}/review/search?filter[review_note]=N-${person}&sort=review_note`, person);
      assert.equal([asked.status, asked.results.total], [200, 1], asked.text);
      // The joined profile of an own row is that person's too, but another schema's rows are not held.
      assert.is((await world.call(`${at}/review/search?filter[profile_phone]=P-${person}`, person)).status, 400);
    }
  });

  test(`${label}: an answer to a write, its ETag and a remembered answer hold what the person sees`, async () => {
    const { world } = state;
    const at = '/rest/user/puser/review';
    for (const [person, expected] of [
      ['ann', ['N-ann', 'P-ann']],
      ['ben', []],
      ['ada', ['N-ann', 'P-ann']],
    ] as const) {
      const read = await world.call(`${at}/detail/1`, person);
      const again = await world.call(`${at}/detail/1`, person);
      const third = await world.call(`${at}/detail/1`, person);
      assert.equal([listShown(again), listShown(third), third.tag], [expected, expected, read.tag], person);
      const json = { review_title: `by ${person}` };
      const stale = { method: 'PUT', json, headers: { 'if-match': '"other"' } };
      assert.is((await world.call(`${at}/update/1`, person, stale)).status, 412, person);
      const written = await world.call(`${at}/update/1`, person, {
        method: 'PUT',
        json,
        headers: { 'if-match': read.tag },
      });
      assert.is(written.status, 200, `${person}: ${written.text}`);
      assert.equal(listShown(written), expected, person);
      // A detail's tag has a part for its relations, after a dot.
      const now = (await world.call(`${at}/detail/1`, person)).tag.replaceAll('"', '');
      assert.is(now.split('.')[0], written.tag.replaceAll('"', ''), `${person}: the tag of a write`);
    }
  });

  test(`${label}: is closed`, () => state.world.world.close());
}

test.run();

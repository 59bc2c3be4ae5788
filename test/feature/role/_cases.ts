import { isDeepStrictEqual } from 'node:util';
import type { Row } from '../../../src/database/row-statement.ts';
import { ask } from '../../client.ts';
import { type Condition, drawCondition, isUnmet, toHeaders } from './_condition.ts';
import { checkEvents, readLastEvent } from './_events.ts';
import {
  type Asker,
  FIELD_COLUMNS,
  isVisible,
  listRules,
  matches,
  met,
  names,
  type Rule,
  sees,
  show,
} from './_oracle.ts';
import { comparePages, drawPaging, type Paged, type Paging, toTotal, walk } from './_pages.ts';
import {
  drawSearch,
  groupRows,
  isAskable,
  isFound,
  listKinds,
  pickFields,
  type Searching,
  shuffle,
  sortRows,
} from './_search.ts';
import {
  ACTIONS,
  type Action,
  drawNote,
  drawPhone,
  drawTag,
  type Person,
  type Random,
  type RoleWorld,
} from './_world.ts';

/** `own`: a user call that is held to the rows of its person. */
type Door = 'public' | 'app' | 'user' | 'own' | 'page' | 'emit';
const DOORS: readonly Door[] = ['public', 'app', 'user', 'own', 'page', 'emit'];
/** Half of all requests are reads, which have the most parameters. */
const DRAWN: readonly Action[] = [...ACTIONS, 'search', 'search', 'search', 'detail'];

/** One request, whatever its door. */
interface Case {
  readonly door: Door;
  readonly person: Person | undefined;
  readonly schema: string;
  readonly action: Action;
  readonly id: number;
  /** Values of a write, or parameters of a search. */
  readonly input: Row;
  /** Values that the call sets, which nobody sent. */
  readonly set?: Row;
  /** Undefined: none is sent. */
  readonly condition?: Condition | undefined;
  /** A search whose pages are read one after the other. */
  readonly paging?: Paging | undefined;
  /** True if a read is asked again with the tag of the answer, and with another caller's. */
  readonly isAgain?: boolean;
}

interface Answer {
  /** 200 for every success. */
  readonly status: number;
  readonly results: Row | undefined;
  readonly message?: unknown;
  /** The row's version, undefined for code. */
  readonly tag?: string | undefined;
  /** Whether the detail before the write gave a tag. */
  readonly isSeen?: boolean;
  /** The tag of a detail after the write; undefined if it was not asked, or gives none. */
  readonly later?: string | undefined;
  readonly pages?: readonly Paged[];
  /** What was wrong with the answer to a tag. */
  readonly wrong?: string | undefined;
  /** What another caller got for the tag that was answered with 304. */
  readonly foreign?: Row | undefined;
}

type Tables = Readonly<Record<string, readonly Row[]>>;

const EVENT = (action: Action): string => (action === 'link' ? 'system-relation-link' : `system-model-${action}`);
const PRIMARY = (schema: string): string => `${schema}_id`;

function drawCase(random: Random, { people }: RoleWorld): Case {
  const door = random.pick(DOORS);
  const isNobody = door === 'public' || door === 'app' || (door === 'page' && random.chance(0.3));
  const person = isNobody ? undefined : random.pick(people);
  const drawn = random.pick(DRAWN);
  const drawnSchema = drawn === 'link' ? 'note' : random.pick(['note', 'note', 'note', 'tag', 'profile']);
  // Tags are nobody's own, and an own profile is made with its account.
  const isOwnless =
    door === 'own' && (drawnSchema === 'tag' || (drawnSchema === 'profile' && /^(?:create|import)$/.test(drawn)));
  const [action, schema] = isOwnless ? (['search', 'note'] as const) : [drawn, drawnSchema];
  const id = 1 + random.below(schema === 'note' ? 30 : schema === 'tag' ? 10 : 8);
  const input = drawInput(random, schema, action, people);
  const isTagged = door !== 'page' && door !== 'emit';
  const isPaged = action === 'search' && input.group === undefined && random.chance(0.3);
  return {
    ...{ door, person, schema, action, id, input },
    condition: isTagged ? drawCondition(random, action) : undefined,
    paging: isPaged ? drawPaging(random) : undefined,
    isAgain: isTagged && !isPaged && random.chance(0.4),
  };
}

function drawInput(random: Random, schema: string, action: Action, people: readonly Person[]): Row {
  const some = (row: Row, share: number): Row =>
    Object.fromEntries(
      Object.entries(row).filter(([name]) => /_(?:title|word|name)$/.test(name) || random.chance(share)),
    );
  const draw = (): Row =>
    schema === 'note'
      ? { ...drawNote(random), profile_id: random.pick(people).profileId }
      : schema === 'tag'
        ? drawTag(random)
        : {
            profile_name: `n${random.below(9)}`,
            profile_team: random.pick(['red', 'blue']),
            profile_phone: drawPhone(random),
          };
  if (action === 'link') return { tag_id: 1 + random.below(10) };
  if (action === 'create')
    return schema === 'note' ? { ...some(draw(), 0.6), profile_id: random.pick(people).profileId } : some(draw(), 0.6);
  if (action === 'update') {
    const row = Object.entries(draw()).filter(() => random.chance(0.4));
    return Object.fromEntries(row);
  }
  if (action === 'import') {
    const isNew = random.chance(0.5);
    const row =
      schema === 'note' ? { ...some(draw(), 0.5), profile_id: random.pick(people).profileId } : some(draw(), 0.5);
    return { rows: [isNew ? row : { ...row, [PRIMARY(schema)]: 1 + random.below(12) }] };
  }
  if (action === 'detail') return random.chance(0.5) && schema === 'note' ? { expand: 'tag' } : {};
  return action === 'search' ? drawSearch(random, schema, people) : {};
}

async function send({ world }: RoleWorld, asked: Case): Promise<Answer> {
  const { door, person, schema, action, id, input } = asked;
  const isRead = action === 'search' || action === 'detail';
  const key =
    action === 'link'
      ? { note_id: id }
      : action === 'create' || action === 'search' || action === 'import'
        ? {}
        : { [PRIMARY(schema)]: id };
  // Every row on one page.
  const window = action === 'search' && input.limit === undefined ? { limit: '100' } : {};
  if (door === 'emit') {
    const stage = { schema, schema1: 'note', schema2: 'tag', ...key, ...window, ...toStage(input) };
    const found = await world.site.app.emit(EVENT(action) as never, stage as never, { as: person?.authId as number });
    const status = found.isError() ? found.getStatus() : 200;
    return { status, results: found.getResults() as Row | undefined };
  }
  const headers: Record<string, string> = { accept: 'application/json' };
  if (door === 'app') headers.authorization = `Basic ${btoa(`${world.app.clientId}:${world.app.secret}`)}`;
  if (door === 'user' || door === 'own') headers.authorization = `Bearer ${person?.token}`;
  const query = isRead ? new URLSearchParams({ ...window, ...input } as Record<string, string>).toString() : '';
  let path = `/rest/${door}/r/${schema}/${action}`;
  if (action === 'detail' || action === 'update' || action === 'remove' || action === 'restore') path += `/${id}`;
  let body: Row = { ...input, ...(action === 'link' ? { note_id: id } : {}) };
  let method = { search: 'GET', detail: 'GET', update: 'PUT', remove: 'DELETE' }[action as string] ?? 'POST';
  if (door === 'page') {
    if (person) headers.cookie = person.browser.cookie();
    headers['sec-fetch-site'] = 'same-origin';
    path = `/door/${EVENT(action)}`;
    const fixed = { schema, schema1: 'note', schema2: 'tag', ...key };
    body = { ...fixed, ...body };
    method = isRead ? 'GET' : 'POST';
    if (isRead) path += `?${new URLSearchParams({ schema, ...(key as unknown as Record<string, string>) })}&${query}`;
  } else if (query !== '') path += `?${query}`;
  const detail = await readTag(asked, world.url, headers);
  Object.assign(headers, detail.condition);
  const hasBody = method === 'POST' || method === 'PUT';
  if (hasBody) headers['content-type'] = 'application/json';
  const answer = await ask(world.url + path, { method, headers, ...(hasBody ? { body: JSON.stringify(body) } : {}) });
  const json = answer.json();
  const status = answer.status < 300 ? 200 : answer.status;
  const results = json?.results as Row | undefined;
  const tag = answer.headers.etag;
  const again = isRead && asked.isAgain && tag ? await askAgain(asked, world, { path, headers, results, tag }) : {};
  const told = { status, results, message: json?.message, tag, isSeen: detail.isSeen, ...again };
  if (isRead || tag === undefined || status !== 200) return told;
  const { 'if-match': _match, 'if-none-match': _none, ...plain } = headers;
  const made = Number(results?.[PRIMARY(schema)]);
  // A user's detail gives the own profile, whatever the path names; and what a person is decides what the next detail shows.
  if (schema === 'profile') return told;
  const after = await ask(`${world.url}/rest/${door}/r/${schema}/detail/${made}`, { headers: plain });
  return { ...told, later: after.status === 200 ? after.headers.etag : undefined };
}

/** Tags and answers by address, with the caller that got them last. */
const others = new WeakMap<object, Map<string, { tag: string; results: Row | undefined; who: string }>>();

/** Asks once more with the tag that was answered, and with the tag that another caller had for the same address. */
async function askAgain(
  { door, person }: Case,
  world: RoleWorld['world'],
  given: { path: string; headers: Record<string, string>; results: Row | undefined; tag: string },
): Promise<Pick<Answer, 'wrong' | 'foreign'>> {
  const { path, headers, results, tag } = given;
  const known = others.get(world) ?? new Map();
  others.set(world, known);
  const who = `${door} ${person?.name}`;
  const other = known.get(path);
  known.set(path, { tag, results, who });
  const same = await ask(world.url + path, { headers: { ...headers, 'if-none-match': tag } });
  const isSame = same.status === 304 || isDeepStrictEqual(same.json()?.results, results);
  if (!isSame) return { wrong: `again ${same.status} ${same.text}` };
  if (other === undefined || other.who === who) return {};
  const foreign = await ask(world.url + path, { headers: { ...headers, 'if-none-match': other.tag } });
  return foreign.status === 304 ? { foreign: other.results } : {};
}

/** The part of a tag that tells the version of the row. */
const toVersion = (tag: string): string | undefined => /^"([^".]+)/.exec(tag)?.[1];

/** The headers of a condition, with the tag that a detail gives the same caller. */
async function readTag(
  { condition, door, schema, id }: Case,
  url: string,
  headers: Record<string, string>,
): Promise<{ condition: Record<string, string>; isSeen: boolean }> {
  if (condition === undefined) return { condition: {}, isSeen: false };
  const detail = await ask(`${url}/rest/${door}/r/${schema}/detail/${id}`, { headers });
  const tag = detail.status === 200 ? detail.headers.etag : undefined;
  return { condition: toHeaders(condition, tag), isSeen: tag !== undefined };
}

/** `filter[a]=1` as code sets it. */
function toStage(input: Row): Row {
  const stage: Row = {};
  for (const [name, value] of Object.entries(input)) {
    const [, number, inner = ''] = /^filter\[or\]\[(\d+)\]\[(.+)\]$/.exec(name) ?? [];
    const column = /^filter\[(.+)\]$/.exec(name)?.[1];
    if (column === undefined) stage[name] = value;
    else if (number !== undefined) {
      const filter = (stage.filter ?? {}) as { or?: Record<string, Row> };
      stage.filter = { ...filter, or: { ...filter.or, [number]: { ...filter.or?.[number], [inner]: value } } };
    } else stage.filter = { ...(stage.filter as Row | undefined), [column]: value };
  }
  return stage;
}

/** What a user call means: its profile is the token's, whatever was sent. */
function toMeant(asked: Case): Case {
  const { door, person, schema, action, input } = asked;
  if ((door !== 'user' && door !== 'own') || person === undefined) return asked;
  const { profileId } = person;
  if (schema === 'profile' && door === 'user') return { ...asked, id: profileId };
  const { profile_id: _, ...rest } = input;
  if (action === 'update') return { ...asked, input: rest };
  return action === 'create' && schema === 'note' ? { ...asked, input: rest, set: { profile_id: profileId } } : asked;
}

/** What the oracle knows when it judges. */
interface Judging extends Searching {
  readonly asked: Case;
  readonly asker: Asker;
  readonly tables: Tables;
}

/** Whether the call reaches a row of its schema at all, whatever the rules say. */
function isReached({ asked: { door, person, schema } }: Judging, row: Row): boolean {
  return door !== 'own' || schema === 'tag' || row.profile_id === person?.profileId;
}

const isThere = (row: Row | undefined): boolean =>
  row !== undefined && Object.entries(row).every(([name, value]) => !name.endsWith('_active') || value === 1);

function toAsker({ door, person }: Case, tables: Tables): Asker {
  if (door === 'app') return { held: ['guest', 'app'], isAdmin: false, me: {} };
  if (person === undefined) return { held: ['guest'], isAdmin: false, me: {} };
  const profile = tables.profile?.find((row) => row.profile_id === person.profileId) ?? {};
  return { held: ['guest', 'user', ...person.roles], isAdmin: person.roles.includes('admin'), me: profile };
}

/** A row as a detail shows it, with the columns of its profile. */
function view({ asker, tables, rules }: Judging, schema: string, row: Row, action: Action = 'detail'): Row {
  const own = show(rules(schema, action), row, asker);
  if (schema !== 'note') return own;
  const profile = tables.profile?.find(({ profile_id: id }) => id === row.profile_id) as Row;
  const found = rules('profile', 'detail');
  const isShown = isVisible(found, profile, asker);
  if (isShown && found.length > 0) return { ...show(found, profile, asker), ...own };
  // A 1:1 to a hidden row gives nulls.
  const columns = Object.keys(profile).filter((name) => found.length === 0 || sees(found, name) !== 'none');
  return { ...Object.fromEntries(columns.map((name) => [name, isShown ? profile[name] : null])), ...own };
}

function listTags({ asker, tables, rules }: Judging, note: Row): Row[] {
  const linked = new Set(tables.note_tag?.filter(({ note_id: id }) => id === note.note_id).map(({ tag_id: id }) => id));
  const found = rules('tag', 'detail');
  const tags =
    tables.tag?.filter((row) => linked.has(row.tag_id) && isThere(row) && isVisible(found, row, asker)) ?? [];
  return tags.map((row) => show(found, row, asker));
}

interface Wanted {
  readonly status: number;
  /** Undefined: not compared. */
  readonly results?: unknown;
  /** The rows of the schema after a write. */
  readonly after?: readonly Row[];
  readonly links?: number;
}

function judgeSearch(judging: Judging): Wanted {
  const { asked, asker, tables, rules } = judging;
  const { schema, input } = asked;
  // On a page a visitor's groups are left out of the search.
  const isGrouping = input.group !== undefined && asked.door !== 'page';
  if (asked.door === 'page' && input.group !== undefined) {
    const { group: _group, sum: _sum, least: _least, count: _count, ...rest } = input;
    return judgeSearch({ ...judging, asked: { ...asked, input: rest } });
  }
  if (!isAskable(judging)) return { status: 400 };
  const found = rules(schema, 'search');
  const rows = (tables[schema] ?? []).filter(
    (row) => isThere(row) && isReached(judging, row) && isVisible(found, row, asker) && isFound(judging, row),
  );
  if (isGrouping) {
    return {
      status: 200,
      results: {
        groups: groupRows(rows, input)
          .map((row) => JSON.stringify(row))
          .sort(),
      },
    };
  }
  const offset = Number(input.offset ?? 0);
  const shown = sortRows(rows, schema, input.sort).map((row) => {
    const tags = input.expand === undefined ? {} : { tag: listTags(judging, row) };
    return pickFields({ ...view(judging, schema, row, 'search'), ...tags }, schema, input);
  });
  return { status: 200, results: { rows: shown.slice(offset), ...toTotal(rows.length, input.total) } };
}

/** The rules of a write that allow all that was sent; none: 403. */
function fit({ asked, rules }: Judging): { rules: Rule[]; isRefused: boolean } {
  const { schema, action, input, door } = asked;
  const found = met(rules(schema, action));
  const sent =
    door === 'emit'
      ? []
      : Object.keys(action === 'import' ? ((input.rows as Row[])[0] ?? {}) : input).filter(
          (name) => name !== PRIMARY(schema),
        );
  const fitting = found.filter((rule) => sent.every((name) => names(rule.write, name)));
  if (found.length === 0) {
    // No rule matches any row, yet what they would let write is told.
    const all = rules(schema, action);
    return { rules: [], isRefused: !sent.every((name) => all.some((rule) => names(rule.write, name))) };
  }
  return { rules: fitting, isRefused: fitting.length === 0 };
}

function judgeWrite(judging: Judging): Wanted {
  const { asked, asker, tables, rules } = judging;
  const { schema, action, id, input, set } = asked;
  const { rules: fitting, isRefused } = fit(judging);
  if (isRefused && (action === 'create' || action === 'update' || action === 'import')) return { status: 403 };
  const values = { ...(action === 'import' ? (input.rows as Row[])[0] : input), ...set } as Row;
  const isAfter = (row: Row): boolean => fitting.some((rule) => matches(rule.check ?? rule.filter, row, asker));
  const isBefore = (row: Row): boolean => fitting.some((rule) => matches(rule.filter, row, asker));
  const profileOf = (row: Row): Row | undefined =>
    tables.profile?.find(({ profile_id: key }) => key === row.profile_id);
  const isOwn = asked.door === 'own';
  // An import is of rows of many people.
  if (isOwn && action === 'import') return { status: 403 };
  const key = action === 'import' ? values[PRIMARY(schema)] : id;
  const stored = tables[schema]?.find((row) => row[PRIMARY(schema)] === key);
  // A new link names no removed row; one that is there stays.
  const isKept = action !== 'create' && values.profile_id === stored?.profile_id;
  // An own call writes rows of its person, who need not see the own profile for that.
  const isNameable = (profile: Row | undefined): boolean =>
    (isKept || isThere(profile)) && (isOwn || isVisible(rules('profile', 'detail'), profile as Row, asker));
  const isLed = values.profile_id === undefined || schema !== 'note' || isNameable(profileOf(values));
  if (action === 'create' || (action === 'import' && stored === undefined)) {
    const bad = action === 'import' ? 422 : 403;
    if (!isLed) return { status: 422 };
    const made: Row = { ...Object.fromEntries(FIELD_COLUMNS(schema).map((name) => [name, null])), ...values };
    return isAfter(made) ? { status: 200, after: [made] } : { status: bad };
  }
  const isMissing =
    stored === undefined ||
    !isReached(judging, stored) ||
    (action === 'restore' ? !isBefore(stored) : (action !== 'import' && !isThere(stored)) || !isBefore(stored));
  if (isMissing || stored === undefined) return { status: action === 'import' ? 422 : 404 };
  if (action === 'update' || action === 'import') {
    if (!isLed) return { status: 422 };
    const changed = { ...stored, ...values };
    if (!isAfter(changed)) return { status: action === 'import' ? 422 : 403 };
    return { status: 200, after: [changed] };
  }
  return { status: 200, after: [{ ...stored, [`${schema}_active`]: action === 'remove' ? 0 : 1 }] };
}

function judgeLink(judging: Judging): Wanted {
  const { asked, asker, tables, rules } = judging;
  const note = tables.note?.find(({ note_id: id }) => id === asked.id);
  const tag = tables.tag?.find(({ tag_id: id }) => id === asked.input.tag_id);
  if (!note || !tag || !isThere(note) || !isThere(tag) || !isReached(judging, note)) return { status: 404 };
  if (!isVisible(rules('note', 'link'), note, asker) || !isVisible(rules('tag', 'detail'), tag, asker))
    return { status: 404 };
  const isLinked = tables.note_tag?.some((row) => row.note_id === note.note_id && row.tag_id === tag.tag_id);
  return { status: 200, links: (tables.note_tag?.length ?? 0) + (isLinked ? 0 : 1) };
}

function judge(judging: Judging): Wanted {
  const { asked, asker, tables, rules } = judging;
  const { schema, action, id } = asked;
  const found = rules(schema, action);
  if (found.length === 0) return { status: 403 };
  if (action === 'search') return judgeSearch(judging);
  if (action === 'link') return judgeLink(judging);
  if (action !== 'detail') return judgeWrite(judging);
  const row = tables[schema]?.find((each) => each[PRIMARY(schema)] === id);
  if (!row || !isThere(row) || !isReached(judging, row) || !isVisible(found, row, asker)) return { status: 404 };
  const shown = view(judging, schema, row);
  return { status: 200, results: schema === 'note' ? { ...shown, tag: listTags(judging, row) } : shown };
}

/** The refusal by a condition, which is asked before the values that were sent. */
function judgeCondition(judging: Judging, { isSeen = false }: Answer): Wanted | undefined {
  const { asked, asker, tables, rules } = judging;
  const { schema, action, id, condition } = asked;
  const row = tables[schema]?.find((each) => each[PRIMARY(schema)] === id);
  const isReachable = row !== undefined && isReached(judging, row) && (action === 'restore' || isThere(row));
  const given = { row: isReachable ? row : undefined, rules: rules(schema, action), asker, isSeen };
  return isUnmet(condition, given) ? { status: 412 } : undefined;
}

const readTables = async ({ rows }: RoleWorld): Promise<Tables> =>
  Object.fromEntries(
    await Promise.all(['note', 'tag', 'profile', 'note_tag'].map(async (name) => [name, await rows(name)] as const)),
  );

const order = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(order);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, item]) => [key, order(item)]),
  );
};

/** Sorted as the oracle sorts; sums and groups as texts. */
function normalise(asked: Case, results: Row | undefined): unknown {
  if (asked.action !== 'search' || results === undefined) return order(results);
  const rows = results.rows as Row[];
  if (asked.input.group !== undefined && asked.door !== 'page')
    return { groups: rows.map((row) => JSON.stringify(row)).sort() };
  const { total, total_more } = results;
  return order({
    rows,
    ...(total === undefined ? {} : { total }),
    ...(total_more === undefined ? {} : { total_more }),
  });
}

const FIXED = /_(?:created|updated|active|id)$/;

/** Differences between the site and the oracle for one request, as text. */
function compare(asked: Case, answer: Answer, wanted: Wanted, judging: Judging, after: Tables): string | undefined {
  if (answer.status !== wanted.status) return `status ${answer.status} (${answer.message}), not ${wanted.status}`;
  // A refusal tells the version of a row only to those who may change it.
  if (answer.status >= 400 && (answer.tag !== undefined) !== (answer.status === 412)) return `tag ${answer.tag}`;
  const { tag, later } = answer;
  if (later !== undefined && toVersion(later) !== toVersion(tag ?? ''))
    return `tag ${tag}, but a detail gives ${later}`;
  const before = judging.tables;
  if (answer.wrong !== undefined) return answer.wrong;
  if (answer.foreign !== undefined && !isDeepStrictEqual(answer.foreign, answer.results))
    return `304 for what another got: ${JSON.stringify(answer.foreign)}\n  not ${JSON.stringify(answer.results)}`;
  if (answer.pages !== undefined && wanted.results !== undefined)
    return comparePages(answer.pages, (wanted.results as Row).rows as Row[], order);
  if (wanted.results !== undefined && !isDeepStrictEqual(normalise(asked, answer.results), order(wanted.results)))
    return `results ${JSON.stringify(normalise(asked, answer.results))}\n  not ${JSON.stringify(order(wanted.results))}`;
  const isWritten = wanted.after !== undefined || wanted.links !== undefined;
  if (!isWritten && !isDeepStrictEqual(before, after)) return 'something was written';
  if (wanted.links !== undefined && after.note_tag?.length !== wanted.links)
    return `links ${after.note_tag?.length}, not ${wanted.links}`;
  for (const row of wanted.after ?? []) {
    const { schema } = asked;
    const id = row[PRIMARY(schema)];
    const stored =
      id === undefined ? after[schema]?.at(-1) : after[schema]?.find((each) => each[PRIMARY(schema)] === id);
    const wrong = Object.entries(row).find(
      ([name, value]) => (!FIXED.test(name) || name.endsWith('_active')) && String(stored?.[name]) !== String(value),
    );
    if (wrong) return `stored ${JSON.stringify(stored)}, not ${JSON.stringify(row)}`;
    const answered = asked.action === 'import' ? undefined : answer.results;
    if (answered === undefined || stored === undefined) continue;
    const shown = checkAnswered(judging, answered, stored, after);
    if (shown !== undefined) return shown;
  }
  return undefined;
}

/** A write answers what a detail shows; its id alone where a detail shows nothing. */
function checkAnswered(judging: Judging, answered: Row, stored: Row, tables: Tables): string | undefined {
  const { asked, asker, rules } = judging;
  const { schema, action } = asked;
  const now = { ...judging, tables };
  const detail = rules(schema, 'detail');
  // A removed row is shown as it was before, with what changed.
  const seen = action === 'remove' ? { ...stored, [`${schema}_active`]: 1 } : stored;
  const isShown = detail.length > 0 && isVisible(detail, seen, asker);
  const whole = isShown ? view(now, schema, seen) : { [PRIMARY(schema)]: stored[PRIMARY(schema)] };
  const own = rules(schema, action);
  const isRead = (name: string): boolean =>
    /_id$/.test(name) ||
    !name.startsWith(`${schema}_`) ||
    sees(
      own.map(({ filter: _filter, ...rule }) => rule),
      name,
    ) !== 'none';
  const wanted = Object.fromEntries(Object.entries(whole).filter(([name]) => isRead(name)));
  const { original: _, ...got } = answered;
  const compared = ([name]: [string, unknown]): boolean => !/_(?:updated|active)$/.test(name);
  const [left, right] = [got, wanted].map((row) => order(Object.fromEntries(Object.entries(row).filter(compared))));
  return isDeepStrictEqual(left, right)
    ? undefined
    : `answered ${JSON.stringify(left)}\n  not ${JSON.stringify(right)}`;
}

/** A request that was judged. */
interface Outcome {
  readonly difference: string | undefined;
  readonly before: Tables;
  readonly after: Tables;
}

/** Sends a drawn request and judges it: its answer, what is stored, and what hooks and the history tell of it. */
export async function runCase(world: RoleWorld, random: Random, seen: Map<string, number>): Promise<Outcome> {
  const sent = drawCase(random, world);
  const asked = toMeant(sent);
  const tables = await readTables(world);
  const last = await readLastEvent(world);
  const asker = toAsker(asked, tables);
  const rules: Judging['rules'] = (schema, action) =>
    listRules(world.roles, asker, schema, action, asked.door === 'own' && schema === asked.schema);
  const judging = { asked, asker, tables, rules };
  const { paging } = sent;
  const answer =
    paging === undefined
      ? await send(world, sent)
      : await walk(paging, (page) => send(world, { ...sent, input: shuffle(random, { ...sent.input, ...page }) }));
  const wanted = judgeCondition(judging, answer) ?? judge(judging);
  const condition = asked.condition === undefined ? [] : [`condition ${asked.condition} ${wanted.status}`];
  const kinds = asked.action === 'search' && rules(asked.schema, 'search').length > 0 ? listKinds(judging) : [];
  const paged = paging === undefined ? [] : [`pages ${wanted.status}`];
  for (const key of [`${asked.door} ${asked.action} ${wanted.status}`, ...condition, ...kinds, ...paged])
    seen.set(key, (seen.get(key) ?? 0) + 1);
  const writes = asked.action !== 'search' && asked.action !== 'detail';
  const after = writes ? await readTables(world) : tables;
  const difference =
    compare(asked, answer, wanted, judging, after) ??
    (await checkEvents(world, last, { ...asked, isDone: writes && wanted.status === 200, before: tables, after }));
  const { door, person, schema, action, id, input } = asked;
  const told = `${condition} ${door} ${person?.name ?? 'nobody'} [${asker.held}] ${action} ${schema} ${id} ${JSON.stringify(input)} ${JSON.stringify(paging)}`;
  return {
    difference: difference && `${told}: ${difference}\n  rules ${JSON.stringify(rules(schema, action))}`,
    before: tables,
    after,
  };
}

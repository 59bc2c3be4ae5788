import type { Row } from '../../../src/database/row-statement.ts';
import { type Asker, FIELD_COLUMNS, isVisible, type Rule, sees } from './_oracle.ts';
import { type Action, drawNote, drawPhone, drawTag, type Person, type Random } from './_world.ts';

/** What a search asks for, and what it is judged by. */
export interface Searching {
  readonly asked: { readonly door: string; readonly schema: string; readonly input: Row };
  readonly asker: Asker;
  readonly tables: Readonly<Record<string, readonly Row[]>>;
  readonly rules: (schema: string, action: Action) => Rule[];
}

type Draw = (random: Random, schema: string, people: readonly Person[]) => Row;

const drawFilter: Draw = (random, schema) => {
  const column = random.pick(FIELD_COLUMNS(schema));
  const profile = { profile_name: 'p1', profile_team: 'red', profile_phone: drawPhone(random) };
  const values: Row = { ...drawNote(random), ...drawTag(random), ...profile };
  return { [`filter[${column}]`]: values[column] };
};
const drawWords: Draw = (random, schema, people) => {
  const name = random.pick(people).name;
  if (schema !== 'note') return { q: random.pick([name, 'x']) };
  return { q: random.pick(['wool', 'lin', 'silk 2', 'nothing', name, `wool ${name}`]) };
};
const drawRelated: Draw = (random, schema, people) => {
  if (schema !== 'note') return {};
  const { tag_word: word, tag_level: level, tag_mark: mark } = drawTag(random);
  return random.pick([
    { 'filter[tag.tag_level]': String(level) },
    { 'filter[tag.tag_word]': word },
    { 'filter[tag.tag_mark]': mark },
    { 'filter[profile_name]': random.pick(people).name },
    { 'filter[profile.profile_name]': random.pick(people).name },
    { [random.pick(['filter[profile_phone]', 'filter[profile.profile_phone]'])]: drawPhone(random) },
  ]);
};
/** Alternatives of one or two conditions each. */
const drawOr: Draw = (random, schema, people) => {
  const count = 1 + random.below(3);
  const all = Array.from({ length: count }, (_, number) => {
    const drawn = [drawFilter, drawRelated, drawFilter].slice(random.below(2), 2 + random.below(2));
    const conditions = Object.assign({}, ...drawn.map((draw) => draw(random, schema, people))) as Row;
    const one = Object.keys(conditions).length === 0 ? drawFilter(random, schema, people) : conditions;
    return Object.entries(one).map(([name, value]) => [name.replace(/^filter/, `filter[or][${number}]`), value]);
  });
  return Object.fromEntries(all.flat());
};
const drawSort: Draw = (random, schema) => {
  const sorts = [1, 2].slice(random.below(2)).map(() => random.pick(['', '-']) + random.pick(FIELD_COLUMNS(schema)));
  return { sort: sorts.join(',') };
};
const drawFields: Draw = (random, schema) => {
  const columns = [...FIELD_COLUMNS(schema), ...(schema === 'note' ? ['profile_name', 'profile_phone'] : [])];
  return {
    fields: [1, 2, 3]
      .slice(random.below(3))
      .map(() => random.pick(columns))
      .join(','),
  };
};
const SUMMED: Readonly<Record<string, string>> = { note: 'note_rank', tag: 'tag_level' };
const drawGroup: Draw = (random, schema) => ({
  group: random.pick(FIELD_COLUMNS(schema)),
  ...(random.chance(0.3) && schema !== 'profile' ? { sum: SUMMED[schema], least: SUMMED[schema] } : {}),
  ...(random.chance(0.3) ? { count: random.pick(FIELD_COLUMNS(schema)) } : {}),
});
const drawExpand: Draw = (_random, schema) => (schema === 'note' ? { expand: 'tag' } : {});

const SHOWING: readonly Draw[] = [drawSort, drawSort, drawExpand, drawFields];
const FINDING: readonly Draw[] = [drawOr, drawFilter, drawWords, drawWords, drawRelated, drawRelated, drawRelated];

/** The parameters of a search: none, one, or several that are asked together. */
export const drawSearch: Draw = (random, schema, people) => {
  const one = (list: readonly Draw[]): Row => random.pick(list)(random, schema, people);
  if (random.chance(0.1)) return {};
  if (random.chance(0.15)) return { ...one([drawGroup]), ...(random.chance(0.4) ? one(FINDING) : {}) };
  const input = random.chance(0.75) ? one(FINDING) : one(SHOWING);
  // What several parameters ask together is told by none of them alone.
  const more = [0.35, 0.2, 0.1].filter((share) => random.chance(share)).map(() => one([...FINDING, ...SHOWING]));
  return shuffle(random, Object.assign({}, ...more, input) as Row);
};

/** The same parameters in another order. */
export function shuffle(random: Random, input: Row): Row {
  const entries = Object.entries(input).map((entry) => ({ entry, place: random.below(1_000_000) }));
  return Object.fromEntries(entries.sort((a, b) => a.place - b.place).map(({ entry }) => entry));
}

/** A condition of an alternative, with the alternative's number; the name is that of a condition of the whole search. */
const splitOr = (name: string): readonly [number: string | undefined, name: string] => {
  const [, number, rest = ''] = /^filter\[or\]\[(\d+)\](.+)$/.exec(name) ?? [];
  return number === undefined ? [undefined, name] : [number, `filter${rest}`];
};

const SEARCHED: Readonly<Record<string, string>> = { note: 'note_title', profile: 'profile_name' };
const listWords = (text: unknown): string[] =>
  String(text ?? '')
    .split(' ')
    .filter((word) => word !== '');
const startsIn = (word: string, text: unknown): boolean => listWords(text).some((other) => other.startsWith(word));

/** Whether every profile shows a column, so that searches of notes may use it. */
const isProfileSure = ({ rules }: Searching, column: string): boolean =>
  rules('profile', 'detail').length > 0 && sees(rules('profile', 'detail'), column) === 'all';

/** Whether a column of a search of notes is one of its profile. */
const isJoined = (schema: string, column: string): boolean =>
  schema === 'note' && /^profile_(?!id$)/.test(column.replace(/^profile\./, ''));

/** The columns of a `sort`, each with its direction. A column that is named again says nothing. */
const listSorts = (sort: unknown): { column: string; isDown: boolean }[] =>
  String(sort)
    .split(',')
    .map((name) => ({ column: name.replace(/^-/, ''), isDown: name.startsWith('-') }))
    .filter(({ column }, index, all) => all.findIndex((other) => other.column === column) === index);

const listFields = (fields: unknown): string[] => String(fields).split(',');

/** Whether a search may ask this of the rows. */
export function isAskable(searching: Searching): boolean {
  const { asked, rules } = searching;
  const { schema, input } = asked;
  const isOpen = (name: string): boolean => rules(name, 'detail').length === 0;
  const asks = (column: string): boolean =>
    isJoined(schema, column)
      ? isProfileSure(searching, column) || isOpen('profile')
      : sees(rules(schema, 'search'), column) === 'all';
  const isShown = (column: string): boolean =>
    isJoined(schema, column)
      ? isOpen('profile') || sees(rules('profile', 'detail'), column) !== 'none'
      : sees(rules(schema, 'search'), column) !== 'none';
  return Object.entries(input).every(([given, value]) => {
    const [, name] = splitOr(given);
    if (name === 'q') return SEARCHED[schema] === undefined || asks(SEARCHED[schema]);
    if (name === 'group' || name === 'sum' || name === 'least' || name === 'count') return asks(String(value));
    if (name === 'sort') return listSorts(value).every(({ column }) => asks(column));
    if (name === 'fields') return listFields(value).every(isShown);
    // What code asks is not held to what the person may read.
    if (!name.startsWith('filter') || asked.door === 'emit') return true;
    const column = /^filter\[(?:tag\.|profile\.)?(.+)\]$/.exec(name)?.[1] as string;
    if (!name.startsWith('filter[tag.')) return asks(column);
    return isOpen('tag') || sees(rules('tag', 'detail'), column) === 'all';
  });
}

/** Rows in the order that a search asks for: nulls first, the key last, in the direction of the column before it. */
export function sortRows(rows: readonly Row[], schema: string, sort: unknown): Row[] {
  const sorts = sort === undefined ? [] : listSorts(sort);
  const all = [...sorts, { column: `${schema}_id`, isDown: sorts.at(-1)?.isDown ?? false }];
  const compare = (a: unknown, b: unknown): number => {
    if (a === b) return 0;
    if (a === null || b === null) return a === null ? -1 : 1;
    return (a as string) < (b as string) ? -1 : 1;
  };
  return [...rows].sort((a, b) => {
    for (const { column, isDown } of all) {
      const found = compare(a[column] ?? null, b[column] ?? null);
      if (found !== 0) return isDown ? -found : found;
    }
    return 0;
  });
}

/** Rows by the values of a column, with what `count` and `sum` say of each group. */
export function groupRows(rows: readonly Row[], { group, count, sum, least }: Row): Row[] {
  const groups = new Map<unknown, Row[]>();
  for (const row of rows) {
    const value = row[String(group)];
    groups.set(value, [...(groups.get(value) ?? []), row]);
  }
  const listValues = (members: readonly Row[], column: unknown): unknown[] =>
    members.map((row) => row[String(column)]).filter((value) => value !== null);
  return [...groups].map(([value, members]) => {
    const numbers = sum === undefined ? [] : listValues(members, sum).map(Number);
    return {
      [String(group)]: value,
      count: count === undefined ? members.length : listValues(members, count).length,
      ...(sum === undefined ? {} : { total: numbers.reduce((a, b) => a + b, 0) }),
      ...(least === undefined ? {} : { least: numbers.length === 0 ? null : Math.min(...numbers) }),
    };
  });
}

/** The columns that `fields` keeps of a row. */
export function pickFields(row: Row, schema: string, { fields, expand }: Row): Row {
  if (fields === undefined) return row;
  const names = [`${schema}_id`, ...listFields(fields), ...(expand === undefined ? [] : [String(expand)])];
  return Object.fromEntries(Object.entries(row).filter(([name]) => names.includes(name)));
}

const findProfile = ({ tables }: Searching, note: Row): Row =>
  tables.profile?.find(({ profile_id: id }) => id === note.profile_id) as Row;

const isThere = (row: Row): boolean =>
  Object.entries(row).every(([name, value]) => !name.endsWith('_active') || value === 1);

/** Whether a row has all words of `q`, each in a column that the search reads. */
function hasWords(searching: Searching, row: Row, q: unknown): boolean {
  const { asked, asker, rules } = searching;
  const own = SEARCHED[asked.schema];
  if (own === undefined) return false;
  const seen = rules('profile', 'detail');
  const profile = asked.schema === 'note' ? findProfile(searching, row) : undefined;
  const isRead = profile !== undefined && isProfileSure(searching, 'profile_name') && isVisible(seen, profile, asker);
  return listWords(q).every((word) => startsIn(word, row[own]) || (isRead && startsIn(word, profile.profile_name)));
}

/** Whether a row is one of those that a search asks for. */
export function isFound(searching: Searching, row: Row): boolean {
  const { asked, asker, tables, rules } = searching;
  const isOne = ([name, value]: [string, unknown]): boolean => {
    if (name === 'q') return hasWords(searching, row, value);
    const column = /^filter\[(.+)\]$/.exec(name)?.[1];
    if (column === undefined) return true;
    const [, tagged] = /^tag\.(.+)$/.exec(column) ?? [];
    if (tagged !== undefined) {
      const linked = tables.note_tag?.filter(({ note_id: id }) => id === row.note_id).map(({ tag_id: id }) => id);
      return (tables.tag ?? []).some(
        (tag) =>
          linked?.includes(tag.tag_id) &&
          isThere(tag) &&
          String(tag[tagged]) === String(value) &&
          isVisible(rules('tag', 'detail'), tag, asker),
      );
    }
    if (isJoined(asked.schema, column)) {
      const profile = findProfile(searching, row);
      return (
        profile[column.replace(/^profile\./, '')] === value && isVisible(rules('profile', 'detail'), profile, asker)
      );
    }
    return String(row[column]) === String(value);
  };
  const entries = Object.entries(asked.input);
  const alternatives = new Map<string, [string, unknown][]>();
  for (const [given, value] of entries) {
    const [number, name] = splitOr(given);
    if (number !== undefined) alternatives.set(number, [...(alternatives.get(number) ?? []), [name, value]]);
  }
  const meetsOne = alternatives.size === 0 || [...alternatives.values()].some((conditions) => conditions.every(isOne));
  return meetsOne && entries.filter(([given]) => splitOr(given)[0] === undefined).every(isOne);
}

/** What a search asks of hidden columns: which parameter, and whether all rows show its column, some, or none. */
export function listKinds({ asked, rules }: Searching): string[] {
  const { schema, input } = asked;
  return Object.keys(input).flatMap((given) => {
    const [number, name] = splitOr(given);
    const column = /^filter\[(?:tag\.|profile\.)?(.+)\]$/.exec(name)?.[1] as string;
    if (number !== undefined) {
      if (name.startsWith('filter[tag.')) return [`alternative ${sees(rules('tag', 'detail'), column)}`];
      if (isJoined(schema, column)) return [`alternative ${sees(rules('profile', 'detail'), column)}`];
      return [`alternative ${sees(rules(schema, 'search'), column)}`];
    }
    const tagged = /^filter\[tag\.(.+)\]$/.exec(name)?.[1];
    if (tagged !== undefined) return [`related ${sees(rules('tag', 'detail'), tagged)}`];
    if (name !== 'q' || SEARCHED[schema] === undefined) return [];
    const own = sees(rules(schema, 'search'), SEARCHED[schema]);
    const joined = schema === 'note' ? [`joined words ${own} ${sees(rules('profile', 'detail'), 'profile_name')}`] : [];
    return [`words ${own}`, ...joined];
  });
}

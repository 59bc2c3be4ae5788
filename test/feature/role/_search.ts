import type { Row } from '../../../src/database/database.ts';
import { type Asker, FIELD_COLUMNS, isVisible, type Rule, sees } from './_oracle.ts';
import { type Action, drawNote, drawTag, type Person, type Random } from './_world.ts';

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
  const values: Row = { ...drawNote(random), ...drawTag(random), profile_name: 'p1', profile_team: 'red' };
  return { [`filter[${column}]`]: values[column] };
};
const drawWords: Draw = (random, schema, people) => {
  const name = random.pick(people).name;
  if (schema !== 'note') return { q: random.pick([name, 'x']) };
  return { q: random.pick(['wool', 'lin', 'silk 2', 'nothing', name, `wool ${name}`]) };
};
const drawRelated: Draw = (random, schema, people) => {
  if (schema !== 'note') return {};
  const { tag_word: word, tag_level: level } = drawTag(random);
  return random.pick([
    { 'filter[tag.tag_level]': String(level) },
    { 'filter[tag.tag_word]': word },
    { 'filter[profile_name]': random.pick(people).name },
  ]);
};
const drawSort: Draw = (random, schema) => ({ sort: random.pick(FIELD_COLUMNS(schema)) });
const drawGroup: Draw = (random, schema) => ({ group: random.pick(FIELD_COLUMNS(schema)) });
const drawExpand: Draw = (_random, schema) => (schema === 'note' ? { expand: 'tag' } : {});

const FINDING: readonly Draw[] = [drawFilter, drawWords, drawWords, drawRelated, drawRelated];

/** The parameters of a search: none, one, or several that are asked together. */
export const drawSearch: Draw = (random, schema, people) => {
  const one = (list: readonly Draw[]): Row => random.pick(list)(random, schema, people);
  if (random.chance(0.1)) return {};
  if (random.chance(0.15)) return { ...one([drawGroup]), ...(random.chance(0.4) ? one(FINDING) : {}) };
  const input = random.chance(0.75) ? one(FINDING) : one([drawSort, drawExpand]);
  // What several parameters ask together is told by none of them alone.
  return random.chance(0.35) ? { ...one([...FINDING, drawSort, drawExpand]), ...input } : input;
};

const SEARCHED: Readonly<Record<string, string>> = { note: 'note_title', profile: 'profile_name' };
const listWords = (text: unknown): string[] =>
  String(text ?? '')
    .split(' ')
    .filter((word) => word !== '');
const startsIn = (word: string, text: unknown): boolean => listWords(text).some((other) => other.startsWith(word));

/** Whether every profile's name is shown, so that searches of notes may use it. */
const isNameSure = ({ rules }: Searching): boolean =>
  rules('profile', 'detail').length > 0 && sees(rules('profile', 'detail'), 'profile_name') === 'all';

/** Whether a search may ask this of the rows. */
export function isAskable(searching: Searching): boolean {
  const { asked, rules } = searching;
  const { schema, input } = asked;
  const isOpen = (name: string): boolean => rules(name, 'detail').length === 0;
  const asks = (column: string): boolean =>
    column === 'profile_name' && schema === 'note'
      ? isNameSure(searching) || isOpen('profile')
      : sees(rules(schema, 'search'), column) === 'all';
  return Object.entries(input).every(([name, value]) => {
    if (name === 'q') return SEARCHED[schema] === undefined || asks(SEARCHED[schema]);
    if (name === 'sort' || name === 'group') return asks(String(value));
    // What code asks is not held to what the person may read.
    if (!name.startsWith('filter') || asked.door === 'emit') return true;
    const column = /^filter\[(?:tag\.)?(.+)\]$/.exec(name)?.[1] as string;
    if (!name.startsWith('filter[tag.')) return asks(column);
    return isOpen('tag') || sees(rules('tag', 'detail'), column) === 'all';
  });
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
  const isJoined = profile !== undefined && isNameSure(searching) && isVisible(seen, profile, asker);
  return listWords(q).every((word) => startsIn(word, row[own]) || (isJoined && startsIn(word, profile.profile_name)));
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
    if (column === 'profile_name' && asked.schema === 'note') {
      const profile = findProfile(searching, row);
      return profile.profile_name === value && isVisible(rules('profile', 'detail'), profile, asker);
    }
    return String(row[column]) === String(value);
  };
  return Object.entries(asked.input).every(isOne);
}

/** What a search asks of hidden columns: which parameter, and whether all rows show its column, some, or none. */
export function listKinds({ asked, rules }: Searching): string[] {
  const { schema, input } = asked;
  return Object.keys(input).flatMap((name) => {
    const tagged = /^filter\[tag\.(.+)\]$/.exec(name)?.[1];
    if (tagged !== undefined) return [`related ${sees(rules('tag', 'detail'), tagged)}`];
    if (name !== 'q' || SEARCHED[schema] === undefined) return [];
    const own = sees(rules(schema, 'search'), SEARCHED[schema]);
    const joined = schema === 'note' ? [`joined words ${own} ${sees(rules('profile', 'detail'), 'profile_name')}`] : [];
    return [`words ${own}`, ...joined];
  });
}

import type { Hand } from './_hand.ts';
import { listTypes, sees } from './_walk-schema.ts';

/** How a value gets into a form: a verb of the hand, the way to the control, and what is given. */
type Entry = readonly ['write' | 'compose' | 'choose', string, string] | readonly ['tick' | 'pick' | 'attach', string];

const SAMPLE: readonly Entry[] = [
  ['write', 'Label', 'Of every type'],
  ['write', 'Email', 'ann@example.org'],
  ['write', 'Password', 'another few words'],
  ['write', 'Search', 'word'],
  ['write', 'Url', 'https://example.org/'],
  ['write', 'Mask', '12-ab'],
  ['write', 'Textarea', 'one\ntwo'],
  ['write', 'Markdown', '# Hello'],
  ['write', 'Code', 'a();\nb();'],
  ['write', 'Number', '12'],
  ['write', 'Range', '7'],
  ['write', 'Small', '3'],
  ['write', 'Float', '1.25'],
  ['write', 'Price', '9.99'],
  ['write', 'Decimal', '1,234.50'],
  ['choose', 'Stars', '3.5 ★★★½'],
  ['write', 'Date', '2026-01-31'],
  ['write', 'Time', '09:30'],
  ['write', 'Week', '2026-W05'],
  ['write', 'Month', '2026-01'],
  ['tick', 'Checkbox'],
  ['tick', 'Switch'],
  ['choose', 'Select', 'Red'],
  ['choose', 'Countrylist', 'France'],
  ['pick', 'Radios > Green'],
  ['tick', 'Multiselect > Red'],
  ['tick', 'Checkboxes > Green'],
  ['attach', 'File'],
  ['attach', 'Image'],
  ['attach', 'Add to Filelist'],
  ['attach', 'Add to Imagelist'],
  ['write', 'Tag', 'one, two'],
  ['write', 'Textlist 1', 'first'],
  ['write', 'Textarealist 1', 'long'],
  ['compose', 'Wysiwyglist 1', 'Rich item'],
  ['write', 'Meta 1, name', 'size'],
  ['write', 'Meta 1, value', 'big'],
  ['write', 'Latitude', '48.85'],
  ['write', 'Longitude', '2.29'],
  ['write', 'Rawjson', '{"a": 1}'],
  ['write', 'Fieldset > What', 'Pen'],
  ['write', 'Fieldset > Amount', '1.5'],
  ['write', 'Table > name', 'pen'],
  ['write', 'Table > count', '2'],
  ['write', 'Multirange 1', '10'],
  ['write', 'Multirange 2', '50'],
];

const ARTICLE: readonly Entry[] = [
  ['write', 'Title', 'By hand'],
  ['write', 'Slug', 'by-hand'],
  ['write', 'Category', 'notes'],
  ['write', 'Author', 'Ada'],
  ['write', 'Published', '2026-01-31T09:30'],
  ['compose', 'Detail', 'Typed here'],
];

/** What is stored then, without what the site sets and without the paths of files. */
const STORED: Readonly<Record<string, unknown>> = {
  sample_label: 'Of every type',
  sample_email: 'ann@example.org',
  sample_search: 'word',
  sample_url: 'https://example.org/',
  sample_mask: '12-ab',
  sample_textarea: 'one\ntwo',
  sample_markdown: '# Hello',
  sample_code: 'a();\nb();',
  sample_number: 12,
  sample_range: 7,
  sample_small: 3,
  sample_float: 1.25,
  sample_price: 9.99,
  sample_decimal: '1234.50',
  sample_stars: 3.5,
  sample_date: '2026-01-31',
  sample_time: '09:30:00',
  sample_week: '2026-W05',
  sample_month: '2026-01',
  sample_checkbox: 1,
  sample_switch: 1,
  sample_select: 'red',
  sample_countrylist: 'FR',
  sample_radios: 'green',
  sample_multiselect: ['red'],
  sample_checkboxes: ['green'],
  sample_tag: ['one', 'two'],
  sample_textlist: ['first'],
  sample_textarealist: ['long'],
  sample_wysiwyglist: ['<p>Rich item</p>'],
  sample_meta: { size: 'big' },
  sample_latlng: [48.85, 2.29],
  sample_rawjson: { a: 1 },
  sample_fieldset: { what: 'Pen', amount: 1.5 },
  sample_table: [{ name: 'pen', count: '2' }],
  sample_multirange: '10;50',
};

/** The columns of a walk, with what is stored in them. */
export function listStored(isShort: boolean): [column: string, value: unknown][] {
  const types = ['label', ...listTypes(isShort)];
  return Object.entries(STORED).filter(([column]) => types.includes(column.replace('sample_', '')));
}

/** The type of the field that a way leads to. */
function toType(way: string): string {
  const [name = ''] = way.replace('Add to ', '').toLowerCase().split(/[ ,]/);
  return name.endsWith('itude') ? 'latlng' : name;
}

async function fill(hand: Hand, entries: readonly Entry[], picture: string): Promise<void> {
  for (const [verb, way, value = ''] of entries) {
    if (verb === 'tick' || verb === 'pick') await hand[verb](way);
    else if (verb === 'attach') await hand.attach(way, picture);
    else await hand[verb](way, value);
  }
}

/** A topic, an article about it, and a sample of the article: both relations and every type. */
export async function enterRows(hand: Hand, picture: string, isShort: boolean): Promise<void> {
  const types = ['label', ...listTypes(isShort)];
  await hand.menu('Topics');
  await hand.follow('Create Topic');
  await fill(
    hand,
    [
      ['write', 'Name', 'Weaving'],
      ['write', 'Tint', '#aa3366'],
    ],
    picture,
  );
  await hand.press('Create');
  await hand.menu('Articles');
  await hand.follow('Create Article');
  await fill(hand, ARTICLE, picture);
  await hand.press('Create');
  await sees(hand, 'Typed here');
  await hand.follow('Link another Topics');
  await hand.pick('Topics > Weaving');
  await hand.press('Link');
  await sees(hand, 'Weaving');
  await hand.follow('Create new Samples');
  await fill(
    hand,
    SAMPLE.filter(([, way]) => types.includes(toType(way))),
    picture,
  );
  await hand.press('Create');
  await sees(hand, 'Of every type');
}

/** Imports the articles of a file, after a trial. */
export async function importRows(hand: Hand, file: string): Promise<void> {
  await hand.menu('Articles');
  await hand.follow('Import');
  await hand.attach('File', file);
  await hand.press('Continue');
  // An article of this site has the first id already.
  await hand.choose('article_id', '— leave it out —');
  await hand.push('Check');
  await sees(hand, 'Every row is valid: 219 would be new');
  await hand.push('Import');
  await sees(hand, 'Imported: 219 new');
}

const countRows = (hand: Hand): Promise<number> => hand.page.locator('.t-rows tbody tr').count();

/** Finds the article that was typed, by words and by a condition; gives how many rows each showed. */
export async function findRows(hand: Hand): Promise<number[]> {
  await hand.menu('Articles');
  await hand.write('Words', 'by hand');
  await hand.press('Search');
  const counts = [await countRows(hand)];
  await hand.menu('Articles');
  await hand.unfold('Filter');
  await hand.choose('Add a condition for', 'Category');
  await hand.press('Apply');
  await hand.write('Category > Value', 'notes');
  await hand.press('Apply');
  return [...counts, await countRows(hand)];
}

/** Changes the article that a list shows. */
export async function editRow(hand: Hand, title: string): Promise<void> {
  await hand.follow('By hand');
  await hand.follow('Edit');
  await hand.write('Title', title);
  await hand.press('Save changes');
  await sees(hand, title);
}

/** The rows of a list as a file. */
export async function exportRows(hand: Hand, rows: 'Articles' | 'Samples'): Promise<Record<string, unknown>[]> {
  await hand.menu(rows);
  await hand.unfold('Export');
  const lines = (await hand.download('NDJSON')).trim().split('\n');
  return lines.map((line) => JSON.parse(line) as Record<string, unknown>);
}

/** Makes the article what it was before its last change. */
export async function revertRow(hand: Hand, title: string): Promise<void> {
  await hand.menu('Articles');
  await hand.write('Words', title);
  await hand.press('Search');
  await hand.follow(title);
  await hand.follow('History');
  // The newest change is first, and its time is the link.
  await hand.follow(/^\d{4}-\d\d-\d\d/);
  await hand.press('Make the row what it was before this');
  await sees(hand, 'The row is as it was');
}

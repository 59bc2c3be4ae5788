// The ten steps that each generated client must do, through its own functions and types only.
import { deepEqual, equal, ok } from 'node:assert/strict';

/** What a generated call answered, in one form for all tools. */
export interface Answer {
  readonly status: number;
  readonly body: unknown;
  readonly headers: Headers;
}

/** A thing as the steps write it. */
export interface Values {
  readonly thing_name: string;
  readonly thing_number?: number;
  readonly thing_sku?: string;
  readonly thing_image?: string;
}

/** An item of a batch. */
export interface Item {
  readonly id?: string;
  readonly call: 'user-thing-create' | 'user-thing-update';
  readonly path?: Record<string, unknown>;
  readonly body: Record<string, unknown>;
}

/** The calls of a generated client. */
export interface Driver {
  /** `filter[thing_number][gte]` and `filter[thing_name][in]`, the greatest number first. */
  filter(least: number, names: string[]): Promise<Answer>;
  /** `filter[label.label_title][starts]`. */
  related(start: string): Promise<Answer>;
  /** Two rows, after a cursor where one is given. */
  page(after?: string): Promise<Answer>;
  create(values: Values, key?: string): Promise<Answer>;
  detail(id: number): Promise<Answer>;
  update(id: number, values: Partial<Values>, ifMatch: string): Promise<Answer>;
  upload(file: File): Promise<Answer>;
  batch(items: Item[]): Promise<Answer>;
}

export interface Connection {
  readonly base: string;
  readonly token: string;
}

type Json = Record<string, unknown>;
const toJson = (value: unknown): Json => (typeof value === 'object' && value !== null ? (value as Json) : {});
const toResults = ({ body }: Answer): Json => toJson(toJson(body).results);
const toRows = (answer: Answer): Json[] => (toResults(answer).rows as Json[] | undefined) ?? [];

/** One pixel, as a PNG. */
const PIXEL = Uint8Array.from(
  atob('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg=='),
  (character) => character.charCodeAt(0),
);

export const STEPS: Readonly<Record<string, (driver: Driver) => Promise<void>>> = {
  async filter(driver) {
    const found = await driver.filter(20, ['Thing 10', 'Thing 20', 'Thing 30']);
    equal(found.status, 200, JSON.stringify(found.body));
    deepEqual(
      toRows(found).map((row) => row.thing_number),
      [30, 20],
    );
  },
  async related(driver) {
    const found = await driver.related('Gre');
    equal(found.status, 200, JSON.stringify(found.body));
    deepEqual(
      toRows(found).map((row) => row.thing_name),
      ['Thing 10'],
    );
  },
  async cursor(driver) {
    const first = await driver.page();
    equal(first.status, 200, JSON.stringify(first.body));
    const second = await driver.page(String(toResults(first).next));
    equal(second.status, 200, JSON.stringify(second.body));
    const ids = [...toRows(first), ...toRows(second)].map((row) => row.thing_id);
    equal(new Set(ids).size, 4);
  },
  async refusal(driver) {
    const refused = await driver.create({ thing_name: 'Long', thing_sku: 'x'.repeat(21) });
    equal(refused.status, 422, JSON.stringify(refused.body));
    const [error] = toJson(refused.body).errors as Json[];
    equal(error?.pointer, '/thing_sku');
    equal(error?.rule, 'char_lte');
    deepEqual(error?.params, { max: 20 });
  },
  async create(driver) {
    const made = await driver.create({ thing_name: 'Made', thing_number: 15 });
    equal(made.status, 201, JSON.stringify(made.body));
    equal(toResults(made).thing_number, 15);
  },
  async upload(driver) {
    const sent = await driver.upload(new File([PIXEL], 'pixel.png', { type: 'image/png' }));
    equal(sent.status, 201, JSON.stringify(sent.body));
    const { url, name, type, size } = toResults(sent);
    deepEqual([name, type, size], ['pixel.png', 'image/png', PIXEL.length]);
    const used = await driver.create({ thing_name: 'With an image', thing_image: String(url) });
    equal(used.status, 201, JSON.stringify(used.body));
    equal(toResults(used).thing_image, url);
  },
  async match(driver) {
    const made = await driver.create({ thing_name: 'Changed' });
    const read = await driver.detail(Number(toResults(made).thing_id));
    const changed = await driver.update(
      Number(toResults(made).thing_id),
      { thing_number: 2 },
      read.headers.get('etag') ?? '',
    );
    equal(changed.status, 200, JSON.stringify(changed.body));
    equal(toResults(changed).thing_number, 2);
  },
  async conflict(driver) {
    const made = await driver.create({ thing_name: 'Held' });
    const refused = await driver.update(Number(toResults(made).thing_id), { thing_number: 3 }, '"another"');
    equal(refused.status, 412, JSON.stringify(refused.body));
    equal(toJson(refused.body).code, 'ROW_CHANGED');
  },
  async replay(driver) {
    const key = crypto.randomUUID();
    const [first, again] = [
      await driver.create({ thing_name: 'Once' }, key),
      await driver.create({ thing_name: 'Once' }, key),
    ];
    equal(again.status, 201, JSON.stringify(again.body));
    equal(toResults(again).thing_id, toResults(first).thing_id);
    equal(again.headers.get('idempotency-replayed'), 'true');
  },
  async batch(driver) {
    const done = await driver.batch([
      { id: 'a', call: 'user-thing-create', body: { thing_name: 'First' } },
      {
        call: 'user-thing-update',
        path: { thing_id: { $ref: 'a.thing_id' } },
        body: { thing_number: 7 },
      },
    ]);
    equal(done.status, 200, JSON.stringify(done.body));
    const results = toJson(done.body).results as { results: Json }[];
    equal(results[1]?.results.thing_number, 7);
    ok(results[0]?.results.thing_id === results[1]?.results.thing_id);
  },
};

/** Runs all steps; prints the errors by step as JSON, for the process that started this one. */
export async function run(connect: (connection: Connection) => Driver): Promise<void> {
  const [base = '', token = ''] = process.argv.slice(2);
  const driver = connect({ base, token });
  const faults: Record<string, string> = {};
  for (const [name, step] of Object.entries(STEPS)) {
    try {
      await step(driver);
    } catch (error) {
      faults[name] = error instanceof Error ? error.message.slice(0, 400) : String(error);
    }
  }
  console.log(JSON.stringify(faults));
}

import { type Application, withApplication } from '../application.ts';
import { toCommandLine } from '../complete.ts';
import { createUsageError } from '../failure.ts';
import { type Attempt, type Delivery, getDelivery, toLines, toWords } from '../hook/delivery.ts';
import { FILTER_OPTIONS, refuseUnknown, refuseWrong, toStage } from '../hook/filter.ts';
import { type CommandSpec, findNumber, findText, type Invocation, type Outcome } from '../spec.ts';

const MAX_LIMIT = 100;
const NONE = 'None in the last 30 days.';

export const command: CommandSpec = {
  arguments: [{ name: 'id', description: 'shows this delivery with its payload and every attempt', isOptional: true }],
  options: [
    ...FILTER_OPTIONS,
    {
      name: 'state',
      value: 'state',
      description: 'pending, delivered, failed or disabled; separate several by commas',
    },
    { name: 'limit', value: 'n', description: 'number of deliveries, 1 to 100', default: '50' },
    { name: 'before', value: 'id', description: 'only deliveries with a lower id: the next page' },
  ],
  examples: [
    'treadle webhook deliveries --state failed --since 2d',
    'treadle webhook deliveries --hook profile-created --app reader --json',
    'treadle webhook deliveries 42',
  ],
  async run(invocation) {
    const { values } = invocation;
    const id = findText(values, 'id');
    const own = { state: findText(values, 'state'), before: findText(values, 'before') };
    const limit = findText(values, 'limit');
    checkId('<id>', id);
    findNumber(values, 'limit', 1, MAX_LIMIT);
    checkId('--before', own.before);
    const filter = { ...(await toStage(invocation)), ...own };
    if (id === undefined) return withApplication(invocation, (app) => list(invocation, app, { ...filter, limit }));
    if (Object.values(filter).some((value) => value !== undefined))
      throw createUsageError('An id and filters cannot be combined.', `See: treadle webhook deliveries ${id}`);
    return withApplication(invocation, (app) => show(app, id));
  },
};

/** @throws CLI_USAGE if it is not the id of a delivery. */
function checkId(name: string, given: string | undefined): void {
  if (given === undefined || (/^\d+$/.test(given) && Number(given) >= 1 && Number.isSafeInteger(Number(given)))) return;
  throw createUsageError(`${name} can't be "${given}".`, 'The id of a delivery, a whole number from 1.');
}

type Stage = Readonly<Record<string, string | undefined>>;

async function list({ values }: Invocation, app: Application, stage: Stage): Promise<Outcome> {
  await refuseUnknown(app, stage);
  const given = Object.entries(stage).filter(([, value]) => value !== undefined);
  const answer = await app.emit('webhook-delivery-search', Object.fromEntries(given));
  refuseWrong(answer);
  const { rows, next } = answer.getResults<{ rows: Delivery[]; next: number | null }>();
  const [first] = rows;
  const more =
    next === null ? [] : [toCommandLine(['webhook', 'deliveries'], command, { ...values, before: String(next) })];
  return {
    data: { rows, next },
    lines: rows.length === 0 ? [NONE] : toLines(app, rows),
    next: first === undefined ? [] : [`treadle webhook deliveries ${first.delivery_id}`, ...more],
  };
}

function toHead(title: string, head: Readonly<Record<string, string>> | null): string[] {
  if (head === null) return [];
  return [`  ${title}:`, ...Object.entries(head).map(([name, value]) => `    ${name}: ${value}`)];
}

function toAttemptLines(attempt: Attempt): string[] {
  const { number, at, status, error, milliseconds, response_body: body } = attempt;
  return [
    '',
    `Attempt ${number}  ${toWords(at)}  ${status ?? 'no answer'}  ${milliseconds} ms${error === null ? '' : `  ${error}`}`,
    ...toHead('sent with', attempt.request_head),
    ...toHead('answered with', attempt.response_head),
    ...(body === null || body === '' ? [] : ['  body:', ...body.split('\n').map((line) => `    ${line}`)]),
  ];
}

/** Why it ended, in full, where no attempt says so: a line holds only the beginning. */
function toReasonLines({ error, attempt }: { error: string | null; attempt: readonly Attempt[] }): string[] {
  return error === null || attempt.at(-1)?.error === error ? [] : ['', `reason  ${error}`];
}

async function show(app: Application, id: string): Promise<Outcome> {
  const data = await getDelivery(app, id);
  return {
    data,
    lines: [
      ...toLines(app, [data]),
      ...toReasonLines(data),
      '',
      `event  ${data.event_id}`,
      data.payload,
      ...data.attempt.flatMap(toAttemptLines),
    ],
    next: [`treadle webhook replay ${id}`],
  };
}

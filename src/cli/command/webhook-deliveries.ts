import { systemClock, toSeconds } from '../../core/clock.ts';
import { type Application, refuseFailure, withApplication } from '../application.ts';
import { type Delivery, toLines, toWords } from '../hook/delivery.ts';
import { FILTER_OPTIONS, FLAG_NAMES, toStage } from '../hook/filter.ts';
import { type CommandSpec, findText, type Outcome } from '../spec.ts';

interface Attempt {
  readonly number: number;
  readonly at: number;
  readonly status: number | null;
  readonly error: string | null;
  readonly milliseconds: number;
  readonly request_head: Readonly<Record<string, string>> | null;
  readonly response_head: Readonly<Record<string, string>> | null;
  readonly response_body: string | null;
}

export const command: CommandSpec = {
  arguments: [{ name: 'id', description: 'shows this delivery with its payload and every attempt', isOptional: true }],
  options: [
    ...FILTER_OPTIONS,
    { name: 'state', value: 'state', description: 'pending, delivered, failed or disabled; several by comma' },
    { name: 'limit', value: 'n', description: 'so many, at most 100', default: '50' },
    { name: 'before', value: 'id', description: 'the page after the delivery of this id' },
  ],
  examples: [
    'treadle webhook deliveries --state failed --since 2d',
    'treadle webhook deliveries --hook profile-created --app reader --json',
    'treadle webhook deliveries 42',
  ],
  async run(invocation) {
    const { values } = invocation;
    const id = findText(values, 'id');
    const stage = {
      ...(await toStage(invocation, toSeconds(systemClock.now()))),
      state: findText(values, 'state'),
      limit: findText(values, 'limit'),
      before: findText(values, 'before'),
    };
    return withApplication(invocation, (app) => (id === undefined ? list(app, stage) : show(app, id)));
  },
};

async function list(app: Application, stage: Readonly<Record<string, string | undefined>>): Promise<Outcome> {
  const given = Object.entries(stage).filter(([, value]) => value !== undefined);
  const answer = await app.emit('webhook-delivery-search', Object.fromEntries(given));
  refuseFailure(answer, FLAG_NAMES);
  const { rows, next } = answer.getResults() as { rows: Delivery[]; next: number | null };
  const [first] = rows;
  const more = next === null ? [] : [`treadle webhook deliveries --before ${next}`];
  return {
    data: { rows, next },
    lines: rows.length === 0 ? ['None of the last 30 days.'] : toLines(rows),
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

async function show(app: Application, id: string): Promise<Outcome> {
  const answer = await app.emit('webhook-delivery-detail', { delivery_id: id });
  refuseFailure(answer);
  const data = answer.getResults() as Delivery & { payload: string; attempt: Attempt[] };
  return {
    data,
    lines: [...toLines([data]), '', `event  ${data.event_id}`, data.payload, ...data.attempt.flatMap(toAttemptLines)],
    next: [`treadle webhook replay ${id}`],
  };
}

import { findStageKeys } from '../../check/stage-key.ts';
import { toStatusCode } from '../../core/error-catalog.ts';
import { readMessage } from '../../core/errors.ts';
import { toDidYouMean } from '../../core/text/suggest.ts';
import { listJsonKeys, toJsonCell } from '../../rows/column.ts';
import { type Application, getUser, toFailureText, withApplication } from '../application.ts';
import { createUsageError, EXIT, toErrorMembers } from '../failure.ts';
import { type CommandSpec, findText, getList, getText } from '../spec.ts';
import { parseStage } from '../stage.ts';

export const command: CommandSpec = {
  arguments: [
    { name: 'event', description: 'name of the event' },
    {
      name: 'values',
      description: 'stage values as key=value; a.b=1 or a[b]=1 for nested values',
      isOptional: true,
      isRest: true,
    },
  ],
  options: [{ name: 'as', value: 'email', description: 'acts as this user' }],
  examples: [
    'treadle emit system-model-search schema=article sort=-article_published limit=5',
    'treadle emit system-model-create schema=comment comment_detail=Hello --as me@example.org --json',
  ],
  async run(invocation) {
    const { values, terminal } = invocation;
    const event = getText(values, 'event');
    const stage = parseStage(getList(values, 'values'));
    return withApplication(invocation, async (app) => {
      if (!app.plan.bus.hasListener(event)) {
        const known = app.plan.events.map(({ name }) => name);
        throw createUsageError(`Nothing listens to "${event}".`, toDidYouMean(event, known));
      }
      const email = findText(values, 'as');
      const user = email === undefined ? undefined : await getUser(app, email);
      readJsonCells(app, stage);
      if (!terminal.isJson) for (const line of listUnknownKeys(app, event, stage)) terminal.say(line);
      const response = await app.emit(event, stage, user === undefined ? {} : { as: Number(user.auth_id) });
      const data = toAnswer(response);
      if (data.error && !terminal.isJson) for (const line of toFailureText(response)) terminal.say(line);
      const lines = data.error ? [] : JSON.stringify(data.results ?? null, null, 2).split('\n');
      return { data, lines, exitCode: data.error ? EXIT.failed : EXIT.done };
    });
  },
};

/** A line for each key that the event does not read. The project's own listeners may read any key. */
function listUnknownKeys({ plan }: Application, event: string, stage: Readonly<Record<string, unknown>>): string[] {
  const keys = plan.bus.isOwn(event) ? findStageKeys(event, stage, plan) : undefined;
  if (keys === undefined) return [];
  const unknown = Object.keys(stage).filter((name) => !keys.names.has(name));
  return unknown.map((name) => `"${event}" does not read "${name}". ${toDidYouMean(name, [...keys.names].sort())}`);
}

/** Raw JSON is a text on the command line; every other type reads text by itself. */
function readJsonCells({ plan: { model } }: Application, stage: Record<string, unknown>): void {
  const schema = model.schemas.get(String(stage.schema));
  const keys = schema === undefined ? [] : listJsonKeys(schema).filter((key) => Object.hasOwn(stage, key));
  for (const key of keys) {
    try {
      stage[key] = toJsonCell(stage[key]);
    } catch (error) {
      throw createUsageError(`${key}: ${readMessage(error)}.`, 'Send it as a text in quotes.');
    }
  }
}

interface Answer {
  readonly error: boolean;
  readonly message?: string;
  readonly validation?: unknown;
  readonly results?: unknown;
}

function toAnswer(response: Awaited<ReturnType<Application['emit']>>): Answer {
  const message = response.getMessage();
  const validation = response.getValidation();
  const isFailed = response.isError();
  return {
    error: isFailed,
    ...(isFailed ? toErrorMembers(response.refusal?.code ?? toStatusCode(response.getStatus())) : {}),
    ...(message === undefined ? {} : { message }),
    ...(isFailed && validation !== undefined ? { validation } : {}),
    ...(response.hasResults() ? { results: response.getResults() } : {}),
  };
}

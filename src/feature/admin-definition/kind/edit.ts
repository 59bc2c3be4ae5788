import type { Problem } from '../../../core/errors.ts';
import type { Request } from '../../../core/request/request.ts';
import { deriveWebhookSecret, toSecretVersion } from '../../../core/secret/webhook-secret.ts';
import { toLocalText, translate } from '../../../core/text/translate.ts';
import type { Row } from '../../../database/row-statement.ts';
import type { Change } from '../../../edit/change.ts';
import { printDefinition } from '../../../model/json/json-schema.ts';
import { type App, toFile } from '../../../model/shape.ts';
import { type Exchange, flash } from '../../../page/exchange.ts';
import type { Context } from '../../../plan/feature.ts';
import { renderOutcome, toStatus } from '../outcome.ts';
import { toState } from '../save.ts';
import { type Outcome, proposeValues, readSubmission, type Submission, submit } from '../submit.ts';
import { findWriteRefusal } from '../write-right.ts';
import type { FormFacts, Kind, Value } from './control.ts';
import { type Draft, draftChange, draftNew, NAME_FIELD } from './draft.ts';
import { toGroupViews, toPosted } from './form-view.ts';
import { GROUPS, listControls } from './groups.ts';
import { findNamed, readFacts, showKind, toBasePath, toPath } from './page.ts';
import { type FormValues, toText } from './read-form.ts';
import { listReferences } from './refer.ts';

/** Errors by key of a form. */
type FormErrors = Readonly<Record<string, string>>;

/** Problems of the form's own file by key; the others apart. */
function splitProblems(
  kind: Kind,
  name: string,
  problems: readonly Problem[],
): { readonly faults: FormErrors; readonly others: readonly Problem[] } {
  const keys = new Set(listControls(kind).map(({ key }) => key));
  const file = toFile(kind, name);
  const errors: Record<string, string> = {};
  const others: Problem[] = [];
  for (const problem of problems) {
    const key = /^[A-Za-z]+/.exec(problem.path)?.[0] ?? '';
    const text = [problem.message, problem.hint ?? ''].filter(Boolean).map(toLocalText).join(' ');
    if (problem.file !== file || !keys.has(key)) others.push(problem);
    else errors[key] = errors[key] === undefined ? text : `${errors[key]} ${text}`;
  }
  return { faults: errors, others };
}

/** Errors of fields as links to them. */
function toErrorLinks(kind: Kind, errors: FormErrors): Row[] {
  const labels = new Map(listControls(kind).map(({ key, label }) => [key, label] as const));
  return Object.entries(errors).map(([key, message]) => ({
    href: key === NAME_FIELD ? '#f-file' : `#f-${key}`,
    label: translate(labels.get(key) ?? 'Name'),
    message,
  }));
}

/** The signing secrets of an app's web hooks. */
async function listHookSecrets(context: Context, app: App): Promise<Row[]> {
  const { definitions, plan } = await readFacts(context);
  return (app.hooks ?? []).map((hook) => {
    const coded = plan.hooks.find(({ name }) => name === hook)?.definition;
    const { secretName = hook, secretVersion } = definitions.webhook.get(hook)?.value ?? coded ?? {};
    const version = toSecretVersion(secretVersion, app.secretVersion);
    return {
      id: `secret-${hook}`,
      hook,
      secret: deriveWebhookSecret(context.services.secret, secretName, app.clientId, version),
    };
  });
}

/** Shows the credentials of an app whose file was just written: its secret is shown only now. */
async function showNewClient(context: Context, exchange: Exchange, { name, value, client }: Draft): Promise<void> {
  const app = value as unknown as App;
  showKind(context, exchange, {
    kind: 'app',
    name: 'app-secret',
    title: translate('Credentials of {title}', { title: app.title }),
    of: name,
    data: {
      file: `config/app/${name}.json`,
      clientId: app.clientId,
      clientSecret: client?.clientSecret ?? undefined,
      secrets: await listHookSecrets(context, app),
      detail: toPath('app', 'detail', name),
    },
  });
}

/** Actions on a row, each an event of Treadle's own, with the word for what happened. */
const OCCASIONS: readonly (readonly [string, string])[] = [
  ['create', 'created'],
  ['update', 'updated'],
  ['remove', 'removed'],
  ['restore', 'restored'],
];

/** What may fire a hook, for each schema. */
const listHookStarts = ({ definitions }: FormFacts): Row[] =>
  [...definitions.schema].flatMap(([schema, { value }]) =>
    OCCASIONS.map(([action, done]) => ({
      value: `${schema}.${action}`,
      label: translate(`{row} ${done}`, { row: toLocalText(value.singular) }),
    })),
  );

/** The keys of a hook that follow from what fires it, as the query names it: `on=article.create`. */
function findHookStart({ definitions }: FormFacts, request: Request): Value {
  const [schema = '', action = ''] = String(request.getGet('on') ?? '').split('.');
  const found = definitions.schema.get(schema)?.value;
  const done = OCCASIONS.find(([each]) => each === action)?.[1];
  if (found === undefined || done === undefined) return {};
  return {
    title: `${found.singular} ${done}`,
    event: `system-model-${action}`,
    parameters: { schema },
    type: `${schema}.${done}`,
    [NAME_FIELD]: `${schema}-${done}`,
  };
}

/** What a form is shown with. */
interface EditView {
  readonly kind: Kind;
  readonly facts: FormFacts;
  readonly posted: FormValues;
  readonly value: Value;
  readonly faults: FormErrors;
  /** Name of the changed definition; undefined for a new one. */
  readonly of: string | undefined;
  readonly outcome?: Outcome | undefined;
  readonly submission: Submission;
}

/** The state of the file that a form changes; of a new one, empty. */
const toBase = ({ facts, kind, of, submission }: EditView): string =>
  submission.base ?? (of === undefined ? '' : toState(facts.definitions[kind].get(of)?.text));

async function showForm(context: Context, exchange: Exchange, shown: EditView): Promise<void> {
  const { kind, facts, posted, faults, of, outcome, submission } = shown;
  const status = Object.keys(faults).length > 0 && outcome === undefined ? 422 : toStatus(outcome);
  exchange.response.setStatus(status);
  const name = of ?? toText(posted[NAME_FIELD]);
  const data: Row = {
    isNew: of === undefined,
    id: of,
    name,
    nameFault: faults[NAME_FIELD],
    copy: toText(posted.copy),
    action: of === undefined ? toPath(kind, 'create') : toPath(kind, 'update', of),
    cancel: of === undefined ? toPath(kind, 'search') : toPath(kind, 'detail', of),
    file: name === '' ? `config/${kind}/….json` : toFile(kind, name),
    base: toBase(shown),
    root: toBasePath(kind),
    groups: toGroupViews(kind, GROUPS[kind], { facts, posted, faults, value: shown.value, more: toText(posted.more) }),
    faultLinks: toErrorLinks(kind, faults),
    outcome: renderOutcome(context, exchange, { outcome, submission }),
    refusal: await findWriteRefusal(context, kind),
    isPublic: toText(posted.public) === '1',
    references: of === undefined ? [] : listReferences(facts.definitions, kind, of),
    json: printDefinition(kind, shown.value).trimEnd(),
    starts: kind === 'webhook' && of === undefined ? listHookStarts(facts) : [],
  };
  showKind(context, exchange, {
    kind,
    name: 'form',
    title:
      of === undefined
        ? translate('New {kind}', { kind: translate(SINGULAR[kind]) })
        : translate('Edit {name}', { name: of }),
    ...(of === undefined ? {} : { of }),
    data,
  });
}

const SINGULAR: Readonly<Record<Kind, string>> = {
  rest: 'REST call',
  scope: 'scope',
  webhook: 'web hook',
  app: 'app',
  role: 'role',
};

const NO_SUBMISSION = readSubmission({});

/** Shows the form of a new definition, empty, or as a copy. */
export const openCreate =
  (kind: Kind) =>
  async (context: Context, exchange: Exchange): Promise<void> => {
    const facts = await readFacts(context);
    const start = kind === 'webhook' ? findHookStart(facts, exchange.request) : {};
    const posted = { ...toPosted(listControls(kind), start), [NAME_FIELD]: start[NAME_FIELD] ?? '' };
    await showForm(context, exchange, {
      kind,
      facts,
      posted,
      value: start,
      faults: {},
      of: undefined,
      submission: NO_SUBMISSION,
    });
  };

/** A name for a copy that is free. */
function findCopyName(kind: Kind, name: string, { definitions }: FormFacts): string {
  const isTaken = (each: string): boolean => definitions[kind].has(each) || definitions.broken.has(`${kind}/${each}`);
  const first = `${name}-copy`;
  if (!isTaken(first)) return first;
  const number = Array.from({ length: 99 }, (_, index) => index + 2).find((each) => !isTaken(`${first}-${each}`));
  return `${first}-${number ?? 100}`;
}

export const openCopy =
  (kind: Kind) =>
  async (context: Context, exchange: Exchange): Promise<void> => {
    const facts = await readFacts(context);
    const found = findNamed(context, exchange, facts, kind);
    if (found === undefined) return;
    const value = found.value as unknown as Value;
    const isPublic = kind === 'app' && value.secretHash === undefined ? '1' : '0';
    const more = { copy: found.name, public: isPublic, [NAME_FIELD]: findCopyName(kind, found.name, facts) };
    const posted = { ...toPosted(listControls(kind), value), ...more };
    await showForm(context, exchange, {
      kind,
      facts,
      posted,
      value,
      faults: {},
      of: undefined,
      submission: NO_SUBMISSION,
    });
  };

export const openUpdate =
  (kind: Kind) =>
  async (context: Context, exchange: Exchange): Promise<void> => {
    const facts = await readFacts(context);
    const found = findNamed(context, exchange, facts, kind);
    if (found === undefined) return;
    const value = found.value as unknown as Value;
    const posted = toPosted(listControls(kind), value);
    await showForm(context, exchange, {
      kind,
      facts,
      posted,
      value,
      faults: {},
      of: found.name,
      submission: NO_SUBMISSION,
    });
  };

const listProblems = (outcome: Outcome): readonly Problem[] =>
  outcome.state === 'invalid' || outcome.state === 'broken' ? outcome.problems : [];

/** Judges what a form means, saves it, and leads to its page; or shows the form again with the reason. */
async function finish(
  context: Context,
  exchange: Exchange,
  draft: Draft,
  { facts, of }: Pick<EditView, 'facts' | 'of'>,
) {
  const { kind, name, value, posted, faults } = draft;
  const submission = readSubmission(posted);
  const again = { kind, facts, posted, value, of, submission };
  // The script of the page asks for the text of the file while somebody types.
  const isDraft = posted.do === 'draft' || toText(posted.more) !== '';
  if (isDraft) return showForm(context, exchange, { ...again, faults: {} });
  if (Object.keys(faults).length > 0) return showForm(context, exchange, { ...again, faults });
  const changes: Change[] = [{ kind, name, value }];
  const file = toFile(kind, name);
  const title = of === undefined ? translate('Created {file}', { file }) : translate('Changed {file}', { file });
  const outcome = await submit(context, {
    by: exchange,
    submission,
    title,
    file,
    propose: () => proposeValues(context, changes),
  });
  if (outcome.state === 'unproven') return undefined;
  if (outcome.state !== 'saved') {
    const split = splitProblems(kind, name, listProblems(outcome));
    return showForm(context, exchange, { ...again, faults: split.faults, outcome });
  }
  if (draft.client !== undefined) return showNewClient(context, exchange, draft);
  flash(exchange, toSavedText(file, outcome.advice));
  exchange.response.setRedirect(toPath(kind, 'detail', name));
  return undefined;
}

/** That a file was saved, with the advice on it. */
export function toSavedText(file: string, advice: readonly Problem[]): string {
  const own = advice.filter((problem) => problem.file === file);
  const lines = own.map(({ message, hint }) => [message, hint].filter(Boolean).join(' '));
  return [translate('Saved {file}.', { file }), ...lines].join(' ');
}

export const postCreate =
  (kind: Kind) =>
  async (context: Context, exchange: Exchange): Promise<void> => {
    const facts = await readFacts(context);
    const draft = draftNew(context, facts, kind, exchange.request.getPost() as FormValues);
    await finish(context, exchange, draft, { facts, of: undefined });
  };

export const postUpdate =
  (kind: Kind) =>
  async (context: Context, exchange: Exchange): Promise<void> => {
    const facts = await readFacts(context);
    const found = findNamed(context, exchange, facts, kind);
    if (found === undefined) return;
    await finish(context, exchange, draftChange(kind, found, exchange.request.getPost() as FormValues), {
      facts,
      of: found.name,
    });
  };

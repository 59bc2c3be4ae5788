import { toLocalText, translate } from '../../../core/text/translate.ts';
import { generateCalls, listUsualActions } from '../../../edit/generate-calls.ts';
import { ACTIONS, type Action } from '../../../edit/usual-call.ts';
import { ACCESS, type Access } from '../../../model/shape.ts';
import { type Exchange, flash } from '../../../page/exchange.ts';
import type { Context } from '../../../plan/feature.ts';
import { renderOutcome, toStatus } from '../outcome.ts';
import { type Outcome, proposeValues, readSubmission, submit } from '../submit.ts';
import { findWriteRefusal } from '../write-right.ts';
import type { FormFacts } from './control.ts';
import { readFacts, showKind, toPath } from './page.ts';
import { type FormValues, toEntries, toText } from './read-form.ts';

/** What the form asks for. */
interface GenerateParams {
  readonly schema: string;
  readonly access: Access;
  /** Empty: the usual ones of the access. */
  readonly actions: readonly Action[];
  readonly scope: string;
}

function readParams(posted: FormValues): GenerateParams {
  const ticked = toEntries(posted.actions ?? posted['actions[]']).map(String);
  return {
    schema: toText(posted.schema),
    access: ACCESS.find((each) => each === posted.access) ?? 'public',
    actions: ACTIONS.filter((action) => ticked.includes(action)),
    scope: toText(posted.scope).trim(),
  };
}

interface GenerateView {
  readonly params: GenerateParams;
  readonly outcome?: Outcome;
  readonly message?: string;
  readonly skipped?: readonly string[];
}

async function show(context: Context, exchange: Exchange, facts: FormFacts, shown: GenerateView): Promise<void> {
  const { params, outcome, message, skipped = [] } = shown;
  const { definitions } = facts;
  const ticked = params.actions.length > 0 ? params.actions : listUsualActions(params.access);
  const submission = readSubmission(exchange.request.getPost() as FormValues);
  exchange.response.setStatus(message === undefined ? toStatus(outcome) : 422);
  showKind(context, exchange, {
    kind: 'rest',
    name: 'rest-generate',
    title: translate('Generate the usual calls'),
    data: {
      schemas: [...definitions.schema].map(([value, source]) => ({
        value,
        label: toLocalText(source.value.plural),
        isTicked: value === params.schema,
      })),
      accesses: ACCESS.map((value) => ({ value, isTicked: value === params.access })),
      actions: ACTIONS.map((value) => ({ value, isTicked: ticked.includes(value) })),
      scope: params.scope,
      scopes: [...definitions.scope].map(([value]) => ({ value })),
      outcome: renderOutcome(context, exchange, { outcome, submission }),
      refusal: await findWriteRefusal(context, 'rest'),
      fault: message,
      skipped,
    },
  });
}

export async function openGenerate(context: Context, exchange: Exchange): Promise<void> {
  const facts = await readFacts(context);
  await show(context, exchange, facts, { params: readParams(exchange.request.getGet() as FormValues) });
}

/** Writes the usual calls of a schema and their scopes, as `rest generate` does. */
export async function postGenerate(context: Context, exchange: Exchange): Promise<void> {
  const facts = await readFacts(context);
  const posted = exchange.request.getPost() as FormValues;
  const params = readParams(posted);
  const schema = facts.definitions.schema.get(params.schema)?.value;
  if (schema === undefined) return show(context, exchange, facts, { params, message: translate('Choose a schema.') });
  const { access, actions, scope } = params;
  const made = generateCalls(facts.definitions, {
    schema,
    access,
    ...(actions.length === 0 ? {} : { actions }),
    slug: scope === '' ? undefined : scope,
  });
  const outcome = await submit(context, {
    by: exchange,
    submission: readSubmission(posted),
    title: translate('Generated calls of {schema}', { schema: schema.name }),
    propose: () => proposeValues(context, [...made.calls, ...made.scopes]),
  });
  if (outcome.state === 'unproven') return;
  if (outcome.state !== 'saved') return show(context, exchange, facts, { params, outcome, skipped: made.skipped });
  flash(exchange, translate('Written: {files}', { files: outcome.files.join(', ') }));
  exchange.response.setRedirect(`${toPath('rest', 'search')}?q=${encodeURIComponent(schema.name)}`);
}

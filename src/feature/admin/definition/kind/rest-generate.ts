import { toLocalText, translate } from '../../../../core/text/translate.ts';
import { flash, type Pair } from '../../../../developer/frame.ts';
import { generateCalls, listUsualActions } from '../../../../edit/generate-calls.ts';
import { ACTIONS, type Action } from '../../../../edit/usual-call.ts';
import { ACCESS, type Access } from '../../../../model/shape.ts';
import type { Context } from '../../../../plan/feature.ts';
import { renderOutcome, toStatus } from '../outcome.ts';
import { type Outcome, proposeValues, readSubmission, submit } from '../submit.ts';
import { findWriteRefusal } from '../write-right.ts';
import type { FormFacts } from './control.ts';
import { readFacts, showKind, toPath } from './page.ts';
import { type Posted, toEntries, toText } from './read-form.ts';

/** What the form asks for. */
interface Asked {
  readonly schema: string;
  readonly access: Access;
  /** Empty: the usual ones of the access. */
  readonly actions: readonly Action[];
  readonly scope: string;
}

function readAsked(posted: Posted): Asked {
  const ticked = toEntries(posted.actions ?? posted['actions[]']).map(String);
  return {
    schema: toText(posted.schema),
    access: ACCESS.find((each) => each === posted.access) ?? 'public',
    actions: ACTIONS.filter((action) => ticked.includes(action)),
    scope: toText(posted.scope).trim(),
  };
}

interface Shown {
  readonly asked: Asked;
  readonly outcome?: Outcome;
  readonly message?: string;
  readonly skipped?: readonly string[];
}

async function show(context: Context, pair: Pair, facts: FormFacts, shown: Shown): Promise<void> {
  const { asked, outcome, message, skipped = [] } = shown;
  const { definitions } = facts;
  const ticked = asked.actions.length > 0 ? asked.actions : listUsualActions(asked.access);
  const submission = readSubmission(pair.request.getPost() as Posted);
  pair.response.setStatus(message === undefined ? toStatus(outcome) : 422);
  showKind(context, pair, {
    kind: 'rest',
    name: 'rest-generate',
    title: translate('Generate the usual calls'),
    data: {
      schemas: [...definitions.schema].map(([value, source]) => ({
        value,
        label: toLocalText(source.value.plural),
        isTicked: value === asked.schema,
      })),
      accesses: ACCESS.map((value) => ({ value, isTicked: value === asked.access })),
      actions: ACTIONS.map((value) => ({ value, isTicked: ticked.includes(value) })),
      scope: asked.scope,
      scopes: [...definitions.scope].map(([value]) => ({ value })),
      outcome: renderOutcome(context, pair, { outcome, submission }),
      refusal: await findWriteRefusal(context, 'rest'),
      fault: message,
      skipped,
    },
  });
}

export async function openGenerate(context: Context, pair: Pair): Promise<void> {
  const facts = await readFacts(context);
  await show(context, pair, facts, { asked: readAsked(pair.request.getGet() as Posted) });
}

/** Writes the usual calls of a schema and their scopes, as `rest generate` does. */
export async function postGenerate(context: Context, pair: Pair): Promise<void> {
  const facts = await readFacts(context);
  const posted = pair.request.getPost() as Posted;
  const asked = readAsked(posted);
  const schema = facts.definitions.schema.get(asked.schema)?.value;
  if (schema === undefined) return show(context, pair, facts, { asked, message: translate('Choose a schema.') });
  const { access, actions, scope } = asked;
  const made = generateCalls(facts.definitions, {
    schema,
    access,
    ...(actions.length === 0 ? {} : { actions }),
    slug: scope === '' ? undefined : scope,
  });
  const outcome = await submit(context, {
    by: pair,
    submission: readSubmission(posted),
    title: translate('Generated calls of {schema}', { schema: schema.name }),
    propose: () => proposeValues(context, [...made.calls, ...made.scopes]),
  });
  if (outcome.state === 'unproven') return;
  if (outcome.state !== 'saved') return show(context, pair, facts, { asked, outcome, skipped: made.skipped });
  flash(pair, translate('Written: {files}', { files: outcome.files.join(', ') }));
  pair.response.setRedirect(`${toPath('rest', 'search')}?q=${encodeURIComponent(schema.name)}`);
}

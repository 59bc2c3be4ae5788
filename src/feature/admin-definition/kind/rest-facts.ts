import { toLocalText, translate } from '../../../core/text/translate.ts';
import type { Row } from '../../../database/row-statement.ts';
import type { SchemaModel } from '../../../model/model.ts';
import { describeResults, describeStage } from '../../../plan/event/describe.ts';
import type { CallPlan, Plan } from '../../../plan/feature.ts';
import { toParts } from './form-view.ts';

/** What a parameter of the path means, in words. */
function explainParameter(call: CallPlan, plan: Plan, name: string): string {
  const fixed = call.definition.parameters?.[name];
  if (fixed !== undefined) {
    return translate('The fixed parameters set it to {value}, whatever the path says.', {
      value: JSON.stringify(fixed),
    });
  }
  const owner = [...plan.model.schemas.values()].find(({ primary }) => primary === name);
  if (owner !== undefined) return translate('The id of a row of {schema}.', { schema: owner.plural });
  const schema = plan.model.schemas.get(call.schema ?? '');
  const column = schema?.byName.get(name);
  if (column !== undefined) return translate('A value of {label}.', { label: column.label });
  return translate('A key of the stage, which the event reads.');
}

/** Keys of the stage that a request may bring, as the event documents them. */
function listStage({ definition: { event, parameters = {} }, handler }: CallPlan, plan: Plan): Row[] {
  if (handler !== undefined) return [];
  const record = plan.events.find(({ name }) => name === event);
  return Object.entries(record ? describeStage(record) : {}).map(([key, description]) => ({
    key,
    description: toParts(toLocalText(description)),
    ...(parameters[key] === undefined ? {} : { fixed: JSON.stringify(parameters[key]) }),
  }));
}

const listColumns = (schema: SchemaModel | undefined): Row[] =>
  schema === undefined
    ? []
    : [schema.primary, ...schema.row.shown.map(({ name }) => name), ...schema.row.keys.map(({ column }) => column)].map(
        (name) => ({
          name,
          label: toLocalText(schema.byName.get(name)?.label ?? ''),
          type: schema.byName.get(name)?.field.type,
        }),
      );

/** The facts of a call that is served: its path, its stage and its answer. */
export function describeCall(call: CallPlan, plan: Plan): Row {
  const { definition, handler } = call;
  const event = plan.events.find(({ name }) => name === definition.event);
  const schema = plan.model.schemas.get(call.schema ?? '');
  const hasListener = handler !== undefined || plan.bus.hasListener(definition.event);
  return {
    path: call.path,
    isUnheard: !hasListener,
    isOwn: definition.access === 'user' && call.isOwn,
    parameters: call.parameters.map((name) => ({ name, text: explainParameter(call, plan, name) })),
    stage: listStage(call, plan),
    results: event === undefined ? [] : toParts(toLocalText(describeResults(event))),
    eventText: event === undefined ? [] : toParts(toLocalText(event.description)),
    columns: listColumns(schema),
    schema: schema?.name,
    docs: `/developer/docs/calls/${encodeURIComponent(call.name)}`,
  };
}

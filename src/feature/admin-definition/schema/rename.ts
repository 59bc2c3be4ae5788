import { ProblemsError } from '../../../core/errors.ts';
import { toLocalText, translate } from '../../../core/text/translate.ts';
import { type Proposal, proposeRename } from '../../../edit/proposal.ts';
import type { RenameInput } from '../../../edit/rename.ts';
import { type Definitions, hasDefinition } from '../../../model/definitions.ts';
import {
  findFieldReserve,
  findNameReserve,
  findRelationReserve,
  findSchemaReserve,
  toTable,
} from '../../../model/names.ts';
import { toRelationName } from '../../../model/removal/target.ts';
import {
  renameDefinition,
  renameField,
  renameGroupField,
  renameRelation,
  renameSchema,
} from '../../../model/rename/rename.ts';
import { NAME_PATTERN } from '../../../model/shape/text.ts';
import { toFile } from '../../../model/shape.ts';
import type { Exchange } from '../../../page/exchange.ts';
import type { Context } from '../../../plan/feature.ts';
import { readProject } from '../../../project/read.ts';
import { toText } from '../control.ts';
import { toEditedProject } from '../edited.ts';
import { leaveSaved, showForm } from '../form.ts';
import { findOwner, type OwnerKind, type OwnerValue } from '../owner.ts';
import { isTicked, type Outcome, readSubmission, submit } from '../submit.ts';
import { toListCrumb, toRoom } from './words.ts';

/** What is renamed: the definition itself, one of its fields, or one of its relations. */
type Part = 'owner' | 'field' | 'relation';

interface RenameParams {
  readonly kind: OwnerKind;
  readonly owner: OwnerValue;
  readonly part: Part;
  readonly from: string;
  readonly to: string;
  readonly isWithPaths: boolean;
  readonly isWithCode: boolean;
}

/** The field or relation that the query names; undefined if the definition has no part of that name. */
function findPart(
  owner: OwnerValue,
  query: Readonly<Record<string, unknown>>,
): { part: Part; from: string } | undefined {
  const { field, relation } = query;
  if (typeof field === 'string') {
    return owner.fields.some(({ name }) => name === field) ? { part: 'field', from: field } : undefined;
  }
  if (typeof relation !== 'string') return { part: 'owner', from: owner.name };
  const relations = 'relations' in owner ? (owner.relations ?? []) : [];
  return relations.some((each) => toRelationName(each) === relation) ? { part: 'relation', from: relation } : undefined;
}

const RESERVES: Readonly<Record<Part, (name: string) => string | undefined>> = {
  owner: findSchemaReserve,
  field: findFieldReserve,
  relation: findRelationReserve,
};

function isTaken(definitions: Definitions, { kind, owner, part, to }: RenameParams): boolean {
  if (part === 'owner') return hasDefinition(definitions, kind, to);
  if (part === 'field') {
    return owner.fields.some(({ name }) => toTable(name).toLowerCase() === toTable(to).toLowerCase());
  }
  return 'relations' in owner && (owner.relations ?? []).some((each) => toRelationName(each) === to);
}

/** The error of the new name; undefined for a valid one. */
function findRenameError(definitions: Definitions, renaming: RenameParams): string | undefined {
  const { kind, part, to } = renaming;
  if (!NAME_PATTERN.test(to)) {
    return translate('A name starts with a lower case letter and holds only letters, digits, "-" and "_".');
  }
  const reserve = kind === 'fieldset' && part === 'owner' ? findNameReserve(to) : RESERVES[part](to);
  if (reserve !== undefined) return translate('That name is taken: {reserve}.', { reserve });
  return isTaken(definitions, renaming) ? translate('"{name}" already exists.', { name: to }) : undefined;
}

function toInput(definitions: Definitions, renaming: RenameParams): RenameInput {
  const { kind, owner, part, from, to, isWithCode, isWithPaths } = renaming;
  const { name } = owner;
  const shared = { definitions, isWithCode };
  if (part === 'relation') return { ...shared, renamed: renameRelation(definitions, name, from, to) };
  if (part === 'field') {
    if (kind === 'fieldset') return { ...shared, renamed: renameGroupField(definitions, name, from, to) };
    return { ...shared, renamed: renameField(definitions, name, from, to), field: { schema: name, from, to } };
  }
  const moved = { kind, from, to };
  const renamed =
    kind === 'schema' ? renameSchema(definitions, from, to, { isWithPaths }) : renameDefinition(definitions, moved);
  return { ...shared, renamed, moved };
}

async function propose(context: Context, definitions: Definitions, renaming: RenameParams): Promise<Proposal> {
  const message = findRenameError(definitions, renaming);
  if (message !== undefined) {
    const file = toFile(renaming.kind, renaming.owner.name);
    throw new ProblemsError([{ code: 'EDIT_NAME_REFUSED', file, path: 'to', message }]);
  }
  return proposeRename(toEditedProject(context.services), toInput(definitions, renaming));
}

function toTitle({ part, from }: RenameParams): string {
  if (part === 'field') return translate('Rename the field {name}', { name: from });
  if (part === 'relation') return translate('Rename the relation {name}', { name: from });
  return translate('Rename {name}', { name: from });
}

/** The page that renames a schema, a fieldset, a field or a relation, with everything that refers to it; the data stays. */
export const createRenameStep =
  (kind: OwnerKind) =>
  async (context: Context, exchange: Exchange): Promise<void> => {
    const { request, response } = exchange;
    const name = String(request.getParameters('name'));
    const { definitions } = await readProject(context.services.root);
    const owner = findOwner(definitions, { kind, name, response });
    if (owner === undefined) return;
    const found = findPart(owner, (request.getGet() ?? {}) as Record<string, unknown>);
    if (found === undefined || (kind === 'schema' && name === 'profile' && found.part === 'owner')) {
      response.refuse({ status: 404, code: 'DEFINITION_MISSING', message: translate('Not Found') });
      return;
    }
    const isPost = request.isMethod('POST');
    const posted = (isPost ? request.getPost() : {}) as Record<string, unknown>;
    const renaming: RenameParams = {
      kind,
      owner,
      ...found,
      to: isPost ? toText(posted.to).trim() : found.from,
      isWithCode: isTicked(posted.code),
      isWithPaths: isTicked(posted.paths),
    };
    const outcome: Outcome | undefined = isPost
      ? await submit(context, {
          by: exchange,
          submission: readSubmission(posted),
          title: translate('Renamed {from} to {to}', { from: `${kind}/${name} ${found.from}`, to: renaming.to }),
          propose: () => propose(context, definitions, renaming),
        })
      : undefined;
    const next = found.part === 'owner' ? renaming.to : name;
    if (leaveSaved(exchange, outcome, `${toRoom(kind)}/update/${next}`)) return;
    await showForm(context, exchange, {
      title: toTitle(renaming),
      crumbs: [toListCrumb(kind), { label: toLocalText(owner.plural), path: `${toRoom(kind)}/update/${name}` }],
      template: 'definition/rename',
      file: toFile(kind, name),
      base: toRoom(kind),
      outcome,
      data: {
        ...renaming,
        isSchema: kind === 'schema' && found.part === 'owner',
        back: `${toRoom(kind)}/update/${name}`,
      },
    });
  };
